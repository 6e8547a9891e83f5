"""What a model of sequences is trained on, by the rule that reads its numbers."""

from torch import Tensor, nn

from bluered.training.sequences import Rule


def sequence_loss(numbers: Tensor, targets: Tensor, rule: Rule) -> Tensor:
    """Return the mean squared error, the cross-entropy or that of a sigmoid for each label.

    numbers, targets: (sequences, numbers). As BLUE's three scripts have it: scores are not scaled,
    and the sigmoids are averaged over sequences and labels alike.
    """
    if rule == "score":
        return nn.functional.mse_loss(numbers, targets)
    if rule == "label":
        return nn.functional.cross_entropy(numbers, targets)
    return nn.functional.binary_cross_entropy_with_logits(numbers, targets)

"""The model card that travels with a bundle."""

from collections.abc import Sequence

from bluered.corpora.leakage import whole
from bluered.inference.bundle import Settings
from bluered.training.adapt import base_of
from bluered.training.config import AnyRecipe, Recipe
from bluered.training.run import Result

_CARD = """# {name} {version}

Finds six entity types, relations between them and their novelty in PubMed abstracts.

- **Licence:** {licence}. Fine-tuned from {encoder} (Apache-2.0).
- **Made for:** English abstracts like PubMed's. Not for clinical notes, not for decisions about
  patients; relations are what a text says, not what is true.
- **Trained on:** {data}.{dropped}
  Epochs, threshold, confidences and recipes were chosen on BioRED's development part.
- **Runs on:** onnxruntime, tokenizers and numpy; 8-bit weights; no torch.

## How it came about

{parts}## Known weaknesses

- Relations were learned from 400 abstracts chosen for BioRED, with hints from BC5CDR and ChemProt;
  texts from other fields are harder.
- Rare relation types (Bind, Comparison, Conversion, Drug_Interaction) are seldom predicted.
- Mentions are never discontinuous, and never cross from the title into the abstract.

Test scores, with intervals and signature: `results/` in the repository, or
`bluered bench biored --split test`.
"""

_PART = """Stage `recipes/{recipe}.toml`, trained in {minutes:.0f} minutes{seed} with {versions}.
On dev{before}: {scores}.
Data (sha256): {data}.

"""

_DROPPED = (
    " Documents that stand in BioRED's\n  development or test part, by text or id, were dropped."
)


def model_card(
    settings: Settings, recipe: Recipe, stages: Sequence[tuple[AnyRecipe, Result]]
) -> str:
    """Return the card of a bundle in Markdown, with what all stages of its training gave."""
    parts = [
        _PART.format(
            recipe=result.name,
            minutes=result.seconds / 60,
            versions=", ".join(f"{k} {v}" for k, v in result.versions.items()),
            seed=_seed(stage),
            before=", before quantization" if result is stages[-1][1] else "",
            scores=", ".join(f"{k} {v}" for k, v in result.dev.items()),
            data=", ".join(f"{split} `{digest}`" for split, digest in result.data.items()),
        )
        for stage, result in stages
    ]
    names = dict.fromkeys(whole(name) for name in settings.trained_on)
    dropped = any(name not in names for name in settings.trained_on)
    return _CARD.format(
        name=settings.name,
        version=settings.version,
        licence=settings.licence,
        encoder=base_of(recipe.encoder),
        data=", ".join(names),
        dropped=_DROPPED if dropped else "",
        parts="".join(parts),
    )


def _seed(stage: AnyRecipe) -> str:
    """Return what the card says of a stage's chance: nothing of one without any."""
    seed = getattr(stage, "seed", None)
    return "" if seed is None else f", seed {seed},"

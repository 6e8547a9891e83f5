"""Rows of pieces, what is hidden of them, and that guessing is learned."""

import numpy as np
import pytest
from tokenizers import Tokenizer, models

from bluered.errors import ModelError

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

LINE = "we found that olaparib reduced breast cancer in patients with a gene mutation of brca1 ."


def test_long_lines_become_several_rows_and_short_ones_none(tiny_tokenizer):
    from bluered.training.language_model import rows

    ids = tiny_tokenizer.encode(LINE, add_special_tokens=False).ids
    made = rows([f"{LINE}\na gene\n\n{LINE} {LINE}"], tiny_tokenizer, window=24)
    opening, closing = map(tiny_tokenizer.token_to_id, ("[CLS]", "[SEP]"))
    assert all(row[0] == opening and row[-1] == closing for row in made)
    assert max(map(len, made)) <= 24
    assert made[0][1:-1].tolist() == ids
    assert np.concatenate([row[1:-1] for row in made[1:]]).tolist() == (ids + ids)[: 22 + 22]


def test_rows_held_out_are_not_learned_from(tiny_tokenizer):
    from bluered.training.language_model import split_rows

    made = [np.asarray([number]) for number in range(300)]
    learned, held_out = split_rows(made, seed=4)
    numbers = [int(row[0]) for row in (*learned, *held_out)]
    assert sorted(numbers) == list(range(300))
    assert len(held_out) == 3
    assert [r.tolist() for r in split_rows(made, seed=4)[1]] == [r.tolist() for r in held_out]


def test_what_is_hidden(tiny_tokenizer):
    """A fifth of the pieces, none of them special; of those 8 in 10 behind the mask."""
    from bluered.training.language_model import HIDDEN, Masking

    torch.manual_seed(0)
    ids = torch.full((400, 52), tiny_tokenizer.token_to_id("gene"))
    present = torch.ones_like(ids).bool()
    present[:, 40:] = False
    changed, hidden = Masking(tiny_tokenizer)(ids, present)
    assert not hidden[:, 0].any()
    assert not hidden[:, 39:].any()
    assert torch.equal(changed[~hidden], ids[~hidden])
    assert float(hidden[:, 1:39].float().mean()) == pytest.approx(HIDDEN, abs=0.02)
    masked = (changed == tiny_tokenizer.token_to_id("[MASK]")) & hidden
    same = (changed == ids) & hidden
    assert float(masked.sum() / hidden.sum()) == pytest.approx(0.8, abs=0.03)
    assert float(same.sum() / hidden.sum()) == pytest.approx(0.1, abs=0.03)


def test_a_tokenizer_without_a_mask_is_refused():
    from bluered.training.language_model import Masking

    with pytest.raises(ModelError, match="piece \\[MASK\\]"):
        Masking(Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]")))


def test_guessing_is_learned_and_scored_without_touching_chance(tiny_tokenizer, encoder_folder):
    from bluered.models.encoder import TypedEncoder, build_encoder
    from bluered.models.language_model import LanguageModel
    from bluered.training.language_model import Masking, evaluation, loss_of, rows

    torch.manual_seed(0)
    model = LanguageModel(TypedEncoder(build_encoder(encoder_folder, pretrained=True), kinds=0))
    made, masking = rows([LINE] * 8, tiny_tokenizer, window=32), Masking(tiny_tokenizer)
    evaluate, loss = evaluation(made, masking), loss_of(masking)
    chance = torch.get_rng_state()
    with torch.inference_mode():
        before, again = evaluate(model), evaluate(model)
    assert before == again
    assert torch.equal(chance, torch.get_rng_state())
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(60):
        optimizer.zero_grad()
        loss(model, made).backward()
        optimizer.step()
    with torch.inference_mode():
        after = evaluate(model.eval())
    assert after["entropy"] < before["entropy"] / 2
    assert after["accuracy"] > 0.8 > before["accuracy"]

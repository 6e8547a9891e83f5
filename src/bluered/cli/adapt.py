"""`bluered adapt`: an encoder that has read the texts of a field."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bluered.cli.corpora import Json, print_json
from bluered.errors import ModelError

if TYPE_CHECKING:
    from bluered.training.adapt import Adapted
    from bluered.training.pretrain_elmo import PretrainedElmo

_HEAD_RATE = 1e-3
"""Of what guesses the hidden pieces: it is new, and no part of what comes out."""

_RATE, _NEW_RATE = 1e-4, 2e-3
"""Of what is pretrained; of an ELMo that is new, and of what guesses its words."""


def adapt(
    encoder: Annotated[
        str,
        typer.Argument(
            help="all-MiniLM-L6-v2, hf:OWNER/NAME, or a folder in Hugging Face's layout; elmo for "
            "a small new ELMo, or a folder with the options.json and weights.hdf5 of one."
        ),
    ],
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT...",
            help="CORPUS:SPLIT of the catalogue, or files of documents in any format; of plain "
            "text each line counts.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="Folder of the adapted encoder."),
    ],
    vocabulary: Annotated[
        int,
        typer.Option(
            min=0,
            help="How many words of the texts become pieces of the vocabulary; pieces that occur "
            "in none are left out. 0: it stays as it is. Of an ELMo, how many words it learns to "
            "guess. 0: 30,000.",
        ),
    ] = 0,
    epochs: Annotated[int, typer.Option(min=1, help="How often the texts are read.")] = 1,
    batch: Annotated[int, typer.Option(min=1, help="Rows in each step.")] = 32,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Highest learning rate of the encoder. Left out: 1e-4, of a new ELMo 2e-3.",
            show_default=False,
        ),
    ] = None,
    rows: Annotated[
        int,
        typer.Option(
            min=0,
            help="Learn from that many rows (of an ELMo, sentences), first texts first. 0: all.",
        ),
    ] = 0,
    layers: Annotated[
        int,
        typer.Option(min=0, help="Keep that many of the lowest layers; of an ELMo all. 0: all."),
    ] = 0,
    window: Annotated[int, typer.Option(min=16, help="Pieces (of an ELMo, words) in a row.")] = 128,
    seed: Annotated[int, typer.Option(help="Seed of all chance.")] = 13,
    *,
    json: Json = False,
) -> None:
    """Adapt an encoder to texts by language modelling; a stopped run goes on.

    A transformer guesses hidden pieces of the texts; the folder can be the `encoder` of a recipe,
    or be read by any program that knows Hugging Face's layout. An ELMo guesses each next word and
    each word before; any program for ELMo reads its two files. Documents of BioRED dev and test
    are taken out of the texts. A percent of the rows is held out: accuracy is the share of their
    hidden pieces (of an ELMo, words) that is guessed, entropy in nats.
    """
    from bluered.cli.curve import show_log
    from bluered.cli.progress import tracked
    from bluered.cli.train import quiet, training_needs

    quiet()
    with training_needs():
        from bluered.training import adapt as transformer
        from bluered.training import pretrain_elmo as elmo
        from bluered.training.config import (
            GUESSED,
            NEW_ELMO,
            AdaptRecipe,
            BidirectionalRecipe,
            Optimisation,
        )
        from bluered.training.texts import check_texts

    is_elmo = encoder == NEW_ELMO or (Path(encoder) / elmo.OPTIONS).is_file()
    if is_elmo and layers:
        raise ModelError("an ELMo keeps all of its layers: leave --layers out")
    new = _NEW_RATE if encoder == NEW_ELMO else _RATE
    optimisation = Optimisation(
        epochs=epochs,
        batch=batch,
        encoder_rate=new if rate is None else rate,
        head_rate=_NEW_RATE if is_elmo else _HEAD_RATE,
        warmup=0.06,
    )
    common: dict[str, Any] = {"encoder": encoder, "texts": tuple(texts), "rows": rows}
    common |= {"window": window, "seed": seed, "optimisation": optimisation}
    check_texts(texts)
    if is_elmo:
        wanted = BidirectionalRecipe(**common, vocabulary=vocabulary or GUESSED)
        elmo.pretrain_elmo(wanted, output, progress=tracked)
        show_log(output, json=json)
        _print_elmo(elmo.pretrained(output), output, json=json)
        return
    recipe = AdaptRecipe(**common, vocabulary=vocabulary, layers=layers)
    transformer.adapt(recipe, output, progress=tracked)
    show_log(output, json=json)
    _print(transformer.adapted(output), output, json=json)


def _print(record: "Adapted", folder: Path, *, json: bool) -> None:
    said: dict[str, Any] = {"folder": str(folder), "dev": record.dev, "rows": record.rows}
    said |= {"dropped": record.dropped, "pieces": record.pieces}
    said["pieces_per_word"] = dict(zip(("before", "after"), record.pieces_per_word, strict=True))
    if json:
        print_json(said)
        return
    before, after = record.pieces_per_word
    typer.echo(
        f"{folder}: dev accuracy {record.dev['accuracy']:g}, entropy {record.dev['entropy']:g}; "
        f"{record.rows} rows, {record.dropped} lines of BioRED dev and test dropped; "
        f"{record.pieces} pieces, {before:g} per word before and {after:g} now"
    )


def _print_elmo(record: "PretrainedElmo", folder: Path, *, json: bool) -> None:
    if json:
        said = {"folder": str(folder), "dev": record.dev, "rows": record.rows}
        said |= {"dropped": record.dropped, "words": record.words, "unknown": record.unknown}
        print_json(said | {"vocabulary": record.vocabulary})
        return
    forward, backward = (record.dev[f"{name}_perplexity"] for name in ("forward", "backward"))
    typer.echo(
        f"{folder}: dev perplexity {forward:g} forward, {backward:g} backward; {record.words} "
        f"words in {record.rows} sentences, {record.dropped} lines of BioRED dev and test dropped; "
        f"{record.vocabulary} words guessed, {record.unknown:.2%} are others"
    )

"""`bluered adapt`: an encoder that has read the texts of a field."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bluered.cli.corpora import Json, print_json

if TYPE_CHECKING:
    from bluered.training.adapt import Adapted

_HEAD_RATE = 1e-3
"""Of what guesses the hidden pieces: it is new, and no part of what comes out."""


def adapt(
    encoder: Annotated[
        str,
        typer.Argument(
            help="all-MiniLM-L6-v2, hf:OWNER/NAME, or a folder in Hugging Face's layout."
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
            "in none are left out. 0: it stays as it is.",
        ),
    ] = 0,
    epochs: Annotated[int, typer.Option(min=1, help="How often the texts are read.")] = 1,
    batch: Annotated[int, typer.Option(min=1, help="Rows in each step.")] = 32,
    rate: Annotated[
        float, typer.Option(min=0, help="Highest learning rate of the encoder.")
    ] = 1e-4,
    rows: Annotated[
        int, typer.Option(min=0, help="Learn from that many rows, first texts first. 0: all.")
    ] = 0,
    layers: Annotated[
        int, typer.Option(min=0, help="Keep that many of the lowest layers. 0: all.")
    ] = 0,
    window: Annotated[int, typer.Option(min=16, help="Pieces in a row.")] = 128,
    seed: Annotated[int, typer.Option(help="Seed of all chance.")] = 13,
    *,
    json: Json = False,
) -> None:
    """Adapt an encoder to texts by masked-language modelling; a stopped run goes on.

    The folder can be the `encoder` of a recipe, or be read by any program that knows Hugging Face's
    layout. Documents of BioRED dev and test are taken out of the texts. A percent of the rows is
    held out: accuracy is the share of their hidden pieces that is guessed, entropy in nats.
    """
    from bluered.cli.curve import show_log
    from bluered.cli.progress import tracked
    from bluered.cli.train import quiet, training_needs

    quiet()
    with training_needs():
        from bluered.training.adapt import adapt as adapt_encoder
        from bluered.training.adapt import adapted, check_folder, check_texts
        from bluered.training.config import AdaptRecipe, Optimisation

    recipe = AdaptRecipe(
        encoder=encoder,
        texts=tuple(texts),
        vocabulary=vocabulary,
        rows=rows,
        layers=layers,
        window=window,
        seed=seed,
        optimisation=Optimisation(
            epochs=epochs, batch=batch, encoder_rate=rate, head_rate=_HEAD_RATE, warmup=0.06
        ),
    )
    check_folder(recipe, output)
    check_texts(recipe.texts)
    adapt_encoder(recipe, output, progress=tracked)
    show_log(output, json=json)
    _print(adapted(output), output, json=json)


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

"""`bluered export`: a finished run of a reader becomes the bundle that `--model` takes."""

from pathlib import Path
from typing import Annotated

import typer


def export(
    run: Annotated[Path, typer.Argument(help="Folder of a finished run of a reader.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the bundle.")],
    name: Annotated[str, typer.Option(help="Name of the model.")] = "bluered-biored",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Write a run's model as ONNX graphs of 8 bits, and compare what it finds with the run's own.

    Threshold and confidences are fitted on the dev documents, on which both are compared too.
    """
    from bluered.cli.train import quiet, training_needs

    quiet()
    with training_needs():
        from bluered.export.bundle import export_bundle
        from bluered.export.verify import verify

    import msgspec

    export_bundle(run, output, name=name)
    found = verify(run, output)
    if as_json:
        typer.echo(msgspec.json.encode(found).decode())
        return
    size = sum(path.stat().st_size for path in output.iterdir()) / 1e6
    typer.echo(f"wrote {output} ({size:.1f} MB); on {found.documents} dev documents")
    for what in ("mentions", "relations"):
        ours, theirs, both = getattr(found, what)
        typer.echo(f"  {what}: {ours} in 8 bits, {theirs} in torch, {both} the same")
    typer.echo(f"  greatest difference in the probability of a relation: {found.difference:.4f}")

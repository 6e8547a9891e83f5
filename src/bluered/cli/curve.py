"""What is shown of a run once it is trained: its log as a table, its curve as a picture beside."""

from pathlib import Path

import typer

CURVE = "curve.svg"


def show_log(run: Path, *, json: bool) -> None:
    """Write the curve of a run into its folder and print its log; a run without one has neither.

    For programs (`json`) nothing is printed.
    """
    from bluered.formats.streams import replacing
    from bluered.reports.curve import svg, table
    from bluered.reports.tables import as_text
    from bluered.training.loop import read_log

    log = read_log(run)
    if not log:
        return
    with replacing(run / CURVE) as stream:
        stream.write(svg(log, name=run.name).encode())
    if not json:
        for line in as_text(table(log, title=run.name)):
            typer.echo(line)
    typer.echo(f"wrote {run / CURVE}", err=True)

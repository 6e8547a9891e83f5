"""The `bluered` command: one line per verb; each verb's file imports what it needs when it runs."""

import os
import sys
from contextlib import suppress
from traceback import walk_tb

import typer

from bluered import __version__
from bluered.cli import (
    adapt,
    annotate,
    bench,
    convert,
    corpora,
    corpora_add,
    corpora_overlap,
    corpora_stats,
    doctor,
    examples,
    explain,
    export,
    model,
    predict,
    score,
    terms,
    terms_build,
    train,
)
from bluered.cli.process import prepare
from bluered.errors import BlueredError

app = typer.Typer(
    name="bluered",
    help="Read biomedical literature: entities, concepts, relations, novelty; score such readings.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

corpora.app.command("stats")(corpora_stats.stats)
corpora.app.command("add")(corpora_add.add)
corpora.app.command("remove")(corpora_add.remove)
corpora.app.command("validate")(corpora_add.validate)
corpora.app.command("overlap")(corpora_overlap.overlap)
app.add_typer(corpora.app, name="corpora")
app.command("convert")(convert.convert)
app.command("doctor")(doctor.doctor)
app.command("examples")(examples.examples)
app.command("score")(score.score)
app.command("bench")(bench.bench)
app.command("annotate")(annotate.annotate)
app.command("explain")(explain.explain)
app.command("adapt")(adapt.adapt)
app.command("train")(train.train)
app.command("export")(export.export)
app.command("predict")(predict.predict)
app.add_typer(model.app, name="model")
terms.app.command("build")(terms_build.build)
app.add_typer(terms.app, name="terms")


@app.callback(invoke_without_command=True)
def _options(
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if version:
        typer.echo(f"bluered {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; a known error is one line on stderr and exit status 1."""
    prepare()
    try:
        app()
    except BlueredError as error:
        sys.exit(f"bluered: {error}")
    except BrokenPipeError:  # the reader of our output (head, less) has gone
        _discard_output()
        sys.exit(141)
    except OSError as error:  # disk full, no permission, no such file
        name = error.filename or ("<stdout>" if _in_echo(error) else None)
        _discard_output()
        sys.exit(f"bluered: {f'{name}: ' if name else ''}{error.strerror or error}")


def _in_echo(error: OSError) -> bool:
    """Tell whether an error arose while something was printed; the system names no file then."""
    return any(frame.f_code is typer.echo.__code__ for frame, _ in walk_tb(error.__traceback__))


def _discard_output() -> None:
    """Send what is still to be written nowhere, or the interpreter would try again at its end."""
    with suppress(OSError, ValueError):  # not a file: tests capture it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

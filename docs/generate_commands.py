"""Write docs/commands.md, every command with its arguments and options, from the program itself."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from bluered.cli.main import app

HEAD = """# Commands

Written by `make docs` from the program itself; `bluered COMMAND --help` prints the same.
Data goes to stdout, everything said about it to stderr. Exit status: 0 fine, 1 an error in
the input (one line says where and what to do), 2 a wrong use of the command.
"""


def reference() -> str:
    """Return the page as Markdown."""
    root: Any = typer.main.get_command(app)
    return "\n".join([HEAD, *_sections(root, "bluered")])


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield each command that does something, by its full name."""
    for key, child in sorted(getattr(command, "commands", {}).items()):
        yield from commands(child, f"{name} {key}")
    if not hasattr(command, "commands"):
        yield name, command


def _sections(root: Any, name: str) -> Iterator[str]:
    for full_name, command in commands(root, name):
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        options = [p for p in command.params if p.param_type_name == "option"]
        usage = " ".join(
            [full_name, *map(_argument_usage, arguments), *(["[OPTIONS]"] if options else [])]
        )
        yield f"## {full_name}\n\n    {usage}\n\n{_text(command.help)}\n"
        rows = [(_argument_usage(p), _help(p)) for p in arguments]
        rows += [(_option_usage(p), _help(p)) for p in options]
        if rows:
            yield "| | |\n|---|---|"
            yield "\n".join(f"| `{usage}` | {text} |" for usage, text in rows) + "\n"


def _argument_usage(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name).upper() + ("..." if parameter.nargs == -1 else "")
    return name if parameter.required else f"[{name}]"


def _option_usage(parameter: Any) -> str:
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    if parameter.is_flag:
        return names
    choices = getattr(parameter.type, "choices", None)
    value = ", ".join(map(str, choices)) if choices else (parameter.metavar or parameter.type.name)
    return f"{names} {value if choices else value.upper()}"


def _help(parameter: Any) -> str:
    text = _text(parameter.help).replace("\n", " ").replace("|", "\\|")
    default = parameter.default
    shown = (
        isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    )
    return f"{text} Default: `{default}`." if shown else text


def _text(text: str | None) -> str:
    return (text or "").replace("\b", "").strip()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")

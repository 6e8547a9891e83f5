"""Write docs/commands.md, every command with its arguments and options, from the program itself."""

import inspect
import sys
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from typer.models import ArgumentInfo, OptionInfo

from bluered.cli.main import app

HEAD = """# Commands

Written by `make docs` from the program itself; `bluered COMMAND --help` prints the same.
Data goes to stdout, everything said about it to stderr. Exit status: 0 fine, 1 an error in
the input (one line says where and what to do), 2 a wrong use of the command.
"""
TYPES = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}

Parameter = tuple[str, str]
"""How an argument or option is written, and what it does."""


def reference() -> str:
    """Return the page as Markdown."""
    parts = (section(name, function) for name, function in sorted(commands(app, "bluered").items()))
    return "\n".join([HEAD, *parts]).rstrip() + "\n"


def commands(group: typer.Typer, name: str) -> dict[str, Callable[..., Any]]:
    """Return the function of each command by its full name."""
    found: dict[str, Callable[..., Any]] = {}
    for command in group.registered_commands:
        if command.callback is not None:
            own = command.name or command.callback.__name__.replace("_", "-")
            found[f"{name} {own}"] = command.callback
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            found |= commands(inner.typer_instance, f"{name} {inner.name}")
    return found


def parameters(function: Callable[..., Any]) -> tuple[list[Parameter], list[Parameter]]:
    """Return the arguments and the options of a command."""
    arguments, options = [], []
    hints = typing.get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        base, info, default = _parts(hints[name], parameter.default)
        text = _help(info, default)
        if isinstance(info, ArgumentInfo):
            arguments.append((_argument(name, base, info, default), text))
        else:
            options.append((_option(name, base, info), text))
    return arguments, options


def section(name: str, function: Callable[..., Any]) -> str:
    """Return the part of the page about one command."""
    arguments, options = parameters(function)
    usage = " ".join([name, *(a for a, _ in arguments), *(["[OPTIONS]"] if options else [])])
    rows = [f"| `{written}` | {text} |" for written, text in (*arguments, *options)]
    table = "\n".join(["| | |", "|---|---|", *rows]) + "\n" if rows else ""
    return f"## {name}\n\n    {usage}\n\n{inspect.getdoc(function) or ''}\n\n{table}"


def _parts(hint: Any, default: Any) -> tuple[Any, Any, Any]:
    """Split a parameter into its type, typer's description and the default."""
    if get_origin(hint) is Annotated:
        base, *metadata = get_args(hint)
        info = next(m for m in metadata if isinstance(m, ArgumentInfo | OptionInfo))
    else:
        base, info, default = hint, default, default.default
    if get_origin(base) in (typing.Union, types.UnionType):
        base = next(arg for arg in get_args(base) if arg is not type(None))
    return base, info, default


def _value(base: Any, info: Any) -> str:
    if info.metavar:
        return info.metavar
    if get_origin(base) is Literal:
        return "{" + ",".join(map(str, get_args(base))) + "}"
    if get_origin(base) in (list, tuple):
        return _value(get_args(base)[0], info)
    return TYPES.get(base, "TEXT")


def _argument(name: str, base: Any, info: Any, default: Any) -> str:
    literal = get_args(base) if get_origin(base) is Literal else ()
    written = info.metavar or (str(literal[0]) if len(literal) == 1 else name.upper())
    if get_origin(base) in (list, tuple) and "..." not in written:
        written += "..."
    return written if default in (inspect.Parameter.empty, ...) else f"[{written}]"


def _option(name: str, base: Any, info: Any) -> str:
    # typer takes the first name of an annotated option for its default until it runs
    first = [info.default] if isinstance(info.default, str) else []
    names = ", ".join(
        [*first, *(info.param_decls or [])] or ["--" + name.strip("_").replace("_", "-")]
    )
    if base is not bool:
        return f"{names} {_value(base, info)}"
    return names if first or info.param_decls else f"{names}, --no-{names.removeprefix('--')}"


def _help(info: Any, default: Any) -> str:
    text = (info.help or "").strip().replace("\n", " ").replace("|", "\\|")
    plain = isinstance(default, str | int | float) and not isinstance(default, bool)
    return f"{text} Default: `{default}`." if plain and default != "" else text


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")

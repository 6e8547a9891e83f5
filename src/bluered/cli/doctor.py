"""`bluered doctor`: every fault of a file that a reader would trip over, and a repaired copy."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bluered.doctor.findings import Finding

SHOWN = 5
"""Findings of one kind that are printed in full without `--all`."""


def doctor(
    file: Annotated[str, typer.Argument(help="File to examine; - is stdin.")],
    from_: Annotated[
        str | None, typer.Option("--from", help="Format of the file; recognised when not named.")
    ] = None,
    *,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write a repaired copy, NAME.fixed.ENDING unless -o.")
    ] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Name of the repaired copy; - is stdout.")
    ] = None,
    show_all: Annotated[
        bool, typer.Option("--all", help=f"Print all findings, not {SHOWN} of each kind.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Name every fault of a file: wrong offsets, repeated ids, stray lines, broken text.

    Errors are what BlueRED refuses or what is plainly wrong, warnings what other readers trip over,
    notes what is worth knowing. Exit status 1 if errors remain (with --fix: in the copy).
    """
    from bluered.doctor.examination import examine, repair, repaired_path

    target = None
    if fix or output:
        target = output or ("-" if file == "-" else str(repaired_path(file)))
        findings = repair(file, target, from_)
        left = [f for f in findings if not f.repairable]
        if target != "-":  # seeing is better than believing
            left = list(examine(target, from_))
    else:
        findings = left = list(examine(file, from_))
    errors = sum(found.severity == "error" for found in left)
    if as_json:
        typer.echo(_json(findings, target, errors), err=target == "-")
    else:
        lines = _lines(findings, file, SHOWN if not show_all else len(findings))
        typer.echo("\n".join(lines), err=target == "-")
        if target is not None:
            typer.echo(f"repaired copy: {target} ({errors} errors left)", err=target == "-")
    if errors:
        raise typer.Exit(1)


def _json(findings: list["Finding"], target: str | None, errors: int) -> str:
    from msgspec import to_builtins

    report = {
        "errors_left": errors,
        "repaired_copy": target,
        "findings": [{"line": None, "repairable": False, **to_builtins(f)} for f in findings],
    }
    return json.dumps(report, ensure_ascii=False, indent=2)


def _lines(findings: list["Finding"], file: str, shown: int) -> Iterator[str]:
    from bluered.doctor.findings import FAULTS

    kinds: dict[str, list[Finding]] = {code: [] for code in FAULTS}
    for found in findings:
        kinds[found.code].append(found)
    order = ("error", "warning", "note")
    for code, found in sorted(
        kinds.items(), key=lambda kind: order.index(FAULTS[kind[0]].severity)
    ):
        if found:
            yield f"{FAULTS[code].severity} {code}: {FAULTS[code].title} ({len(found)})"
            yield from (f"  {_line(one)}" for one in found[:shown])
            if len(found) > shown:
                yield f"  ... and {len(found) - shown} more (--all)"
    yield f"{file}: {_summary(findings)}"


def _line(found: "Finding") -> str:
    place = [f"line {found.line}"] if found.line else []
    if found.document:
        place.append(f"document {found.document}")
    left = "" if found.repairable or found.severity == "note" else " [not repairable]"
    return f"{', '.join(place) or 'file'}: {found.what}{left}"


def _summary(findings: list["Finding"]) -> str:
    if not findings:
        return "no faults"
    counts = [
        f"{number} {severity}{'' if number == 1 else 's'}"
        for severity in ("error", "warning", "note")
        if (number := sum(found.severity == severity for found in findings))
    ]
    repairable = sum(found.repairable for found in findings)
    return f"{', '.join(counts)}; {repairable} repairable (--fix)"

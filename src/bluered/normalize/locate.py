"""Where terminologies lie: the shipped one, those built on this machine, the one in use."""

import os
import re
from pathlib import Path

from platformdirs import user_data_path

from bluered.errors import BlueredError, unknown_name
from bluered.normalize.store import MANIFEST

VARIABLE = "BLUERED_TERMS"
"""The environment variable that names the terminology in use, by name or folder."""

SHIPPED = "shipped"
NONE = "none"
"""What names no terminology at all: ids then hold within their document only."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


def shipped_terminology() -> Path:
    """Return the folder of the terminology that comes with the package."""
    return Path(__file__).parent / "assets" / "terms"


def built_folder() -> Path:
    """Return the folder below which terminologies are built, each in a folder of its name."""
    return user_data_path("bluered") / "terms"


def built_terminologies() -> dict[str, Path]:
    """Return the terminologies built on this machine by name."""
    root = built_folder()
    if not root.is_dir():
        return {}
    return {p.name: p for p in sorted(root.iterdir()) if _is_name(p.name) and _is_one(p)}


def named_folder(name: str) -> Path:
    """Return the folder that a terminology of this name is built in, or raise BlueredError."""
    if not _is_name(name):
        raise BlueredError(
            f"{name!r} cannot name a terminology: take small letters, digits, '.', '_' and '-', "
            f"another name than '{SHIPPED}' and '{NONE}'; a folder is given by -o"
        )
    return built_folder() / name


def find_terminology(name: str | None = None) -> Path:
    """Return the folder of a terminology given by name or by folder.

    None is the one in use: what BLUERED_TERMS names, else the shipped one. A word without a
    separator is a name first and a folder of that name if there is none.
    """
    if name is None:
        name = os.environ.get(VARIABLE) or SHIPPED
        said = f" ({VARIABLE} is set to it)" if name != SHIPPED else ""
    else:
        said = ""
    if name == SHIPPED:
        return _existing(shipped_terminology(), "the package was installed without its terms")
    built = built_terminologies()
    if name in built:
        return built[name]
    folder = Path(name).expanduser()
    if _is_one(folder):
        return folder
    if folder.is_dir() or os.sep in name:
        return _existing(folder, f"no terminology there{said}: build one (bluered terms build)")
    hint = f"bluered terms list; or give a folder{said}"
    raise BlueredError(unknown_name("terminology", name, [SHIPPED, *built], hint))


def _existing(folder: Path, otherwise: str) -> Path:
    if not _is_one(folder):
        raise BlueredError(f"{folder}: expected the file {MANIFEST}; {otherwise}")
    return folder


def _is_one(folder: Path) -> bool:
    return (folder / MANIFEST).is_file()


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name not in {SHIPPED, NONE}

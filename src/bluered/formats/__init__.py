"""File formats: each module has `read` (a stream of documents) and `write`.

`FORMATS` names them; `detect` recognises a file by its name or its first bytes; `read_file` and
`write_file` open, detect and, when writing, put the finished file in place in one step.
"""

from bluered.formats.files import detect, read_file, unique_ids, write_file
from bluered.formats.registry import FORMATS, Format, Read, Write, get_format

__all__ = [
    "FORMATS",
    "Format",
    "Read",
    "Write",
    "detect",
    "get_format",
    "read_file",
    "unique_ids",
    "write_file",
]

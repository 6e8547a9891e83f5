"""How the templates of pages and pictures are filled in: everything put in is escaped."""

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment() -> Environment:
    """Return a new environment of the templates; a name that nobody gives is an error."""
    return Environment(
        loader=PackageLoader("bluered.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

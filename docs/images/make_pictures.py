"""Take the pictures of the documentation anew, from the shipped model and the example abstracts.

    python docs/images/make_pictures.py [--model BUNDLE]

Needs Playwright and Chromium (/usr/bin/chromium). Writes page.png and terminal.svg beside itself.
"""

import argparse
import io
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from rich.console import Console

from bluered.documents.document import Document
from bluered.formats import read_file
from bluered.pipeline.load import load
from bluered.reports.page import write_page
from bluered.reports.terminal import print_documents

HERE = Path(__file__).parent
ABSTRACTS = HERE.parents[1] / "examples" / "abstracts"
FIRST = "breast-cancer-parp"  # the document that is shown
CHROMIUM = "/usr/bin/chromium"


def picture_of_the_page(documents: list[Document], model: str, target: Path) -> None:
    """Photograph the page with one relation lit up."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "page.html"
        write_page(documents, page_file, model=model)
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1240, "height": 900}, reduced_motion="reduce")
        page.goto(page_file.as_uri())
        page.locator("tbody .type").nth(1).hover()
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=target)
        browser.close()


def picture_of_the_terminal(document: Document, target: Path) -> None:
    """Draw the terminal view of one document."""
    console = Console(
        record=True, width=100, file=io.StringIO(), force_terminal=True, highlight=False
    )
    print_documents([document], console)
    svg = console.export_svg(title="bluered annotate examples/abstracts/*.txt")
    # the drawing asks for fonts of a web host; a picture in a repository should not
    parts = svg.split("@font-face")
    svg = parts[0] + "".join(part.split("}", 1)[1] for part in parts[1:])
    target.write_text(svg, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path)
    options = parser.parse_args()
    nlp = load(options.model)
    texts = {p.stem: next(iter(read_file(p))) for p in sorted(ABSTRACTS.glob("*.txt"))}
    ordered = [texts.pop(FIRST), *texts.values()]
    documents = list(nlp.pipe(ordered))
    picture_of_the_page(documents[:1], nlp.model, HERE / "page.png")
    picture_of_the_terminal(documents[0], HERE / "terminal.svg")


if __name__ == "__main__":
    main()

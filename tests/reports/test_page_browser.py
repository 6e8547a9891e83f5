"""The HTML page in a browser: nothing is fetched, evidence lights up, small screens, contrast."""

from pathlib import Path

import pytest

from bluered.documents.document import Document
from bluered.pipeline.pipeline import failed
from bluered.reports.page import write_page

CHROMIUM = Path("/usr/bin/chromium")
CONTRAST = Path(__file__).with_name("contrast.js")


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=str(CHROMIUM),
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-component-update"],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, tmp_path, nlp):
    """Open a page of documents; give the browser's page with `requests` and `complaints`."""
    contexts = []

    def opened(*documents: Document, **options: object):
        write_page(documents, tmp_path / "page.html")
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.requests, page.complaints = [], []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto((tmp_path / "page.html").as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


TEXT = (
    "BRCA1 in breast cancer\n\nOlaparib slows breast cancer. Nothing is said here. "
    "MCF-7 cells lack BRCA1. Olaparib kills MCF-7 cells. BRCA1, olaparib and MCF-7 meet."
)


@pytest.mark.browser
def test_entities_table_and_graph_are_there_and_nothing_is_fetched(opened, nlp, evil):
    page = opened(nlp(TEXT), evil)
    assert page.locator("#d1 a.mention").count() == 11
    assert page.locator("#d1 table tbody").count() == 6
    assert page.locator("#d1 svg .node").count() == 4
    assert page.locator("#d1 svg g.edge").count() == 6
    assert page.requests == [page.url]
    assert page.complaints == []


@pytest.mark.browser
def test_script_in_a_text_stays_text(opened, evil):
    page = opened(evil)
    assert page.title() != "taken"
    assert "<script>document.title = 'taken'</script>" in page.locator("article h2").inner_text()
    assert page.locator("img").count() == 0
    assert page.complaints == []


@pytest.mark.browser
@pytest.mark.parametrize("way", ["hover", "focus", "edge"])
def test_evidence_lights_up(opened, nlp, way):
    page = opened(nlp(TEXT))
    row = page.locator("tbody", has_text="Olaparib slows").first
    assert page.locator(".sentence.on").count() == 0
    if way == "hover":
        row.locator(".type").hover()
    elif way == "focus":
        row.focus()
    else:
        page.locator(f"g.edge[data-relation='{row.get_attribute('id')}'] text").hover()
    lit = page.locator(".sentence.on")
    assert lit.all_inner_texts() == ["Olaparib slows breast cancer."]
    assert page.locator(".sentence.on .endpoint").all_inner_texts() == ["Olaparib", "breast cancer"]
    assert page.locator("g.edge.on").count() == 1
    page.keyboard.press("Tab")
    page.locator("footer").hover()
    if way != "focus":
        assert page.locator(".sentence.on").count() == 0


@pytest.mark.browser
def test_a_row_is_pinned_by_key_and_freed_by_escape(opened, nlp):
    page = opened(nlp(TEXT))
    page.locator("tbody").first.focus()
    page.keyboard.press("Enter")
    page.locator("footer").hover()
    assert page.locator(".pinned").count() == page.locator("tbody.on").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".pinned").count() == 0


@pytest.mark.browser
def test_table_sorts_and_filters(opened, nlp):
    page = opened(nlp(TEXT))
    page.get_by_role("button", name="Tail").click()
    tails = page.locator("td.tail").all_inner_texts()
    assert tails == sorted(tails, key=str.lower)
    assert page.locator("th[aria-sort=ascending]").count() == 1
    page.get_by_role("searchbox").fill("slows")
    assert page.locator("tbody:visible").count() == 1


@pytest.mark.browser
def test_legend_hides_a_kind(opened, nlp):
    page = opened(nlp(TEXT))
    gene = page.locator(".mention.gene").first
    before = gene.evaluate("e => getComputedStyle(e).backgroundColor")
    page.get_by_role("button", name="Gene").click()
    assert gene.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)" != before


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_no_page_is_wider_than_its_screen(opened, nlp, evil, width):
    page = opened(nlp(TEXT), evil, viewport={"width": width, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough(opened, nlp, scheme):
    """WCAG 2.2, success criterion 1.4.3: 4.5 to 1 for text, in light and in dark mode."""
    page = opened(nlp(TEXT), failed(nlp("x"), ValueError("y")), color_scheme=scheme)
    page.locator("tbody .type").first.hover()
    assert page.evaluate(CONTRAST.read_text()) == []


@pytest.mark.browser
def test_on_paper_all_is_shown_and_no_control(opened, nlp):
    page = opened(nlp(TEXT), nlp(TEXT))
    page.emulate_media(media="print")
    assert page.locator("article:visible").count() == 2
    assert page.locator("input:visible").count() == 0
    letter = page.locator(".mention.gene").first.evaluate(
        "e => getComputedStyle(e, '::after').content"
    )
    assert letter == '"G"'


@pytest.mark.browser
def test_a_hundred_documents_stay_usable(opened, real_documents):
    page = opened(*real_documents)
    assert page.locator(".contents li").count() == 100
    assert page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive") < 10_000
    page.locator(".contents a").nth(98).click()
    assert page.url.endswith("#d99")
    assert page.requests[0].startswith("file:")
    assert len(page.requests) == 1

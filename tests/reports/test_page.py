"""The HTML page: what is in it, and that text stays text."""

import re
import time
from html.parser import HTMLParser

import pytest

from bluered.documents.document import Document, Entity, Relation, Span, simple_document
from bluered.pipeline.pipeline import failed
from bluered.reports.page import render_page, write_page

VOID = {"meta", "rect", "line", "circle", "input", "br", "img"}


class Outline(HTMLParser):
    """Checks that tags are closed in order, ids are unique and links lead somewhere."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.targets: set[str] = set()
        self.addresses: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src"):
                (self.targets if value.startswith("#") else self.addresses).add(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_text_cannot_become_markup(evil):
    page = render_page([evil], title=evil.id, model=evil.id)
    outline = Outline(page)
    assert outline.open == []
    assert outline.tags.count("script") == outline.tags.count("style") == 1
    assert "img" not in outline.tags
    assert "onmouseover" not in outline.attributes
    assert "&lt;script&gt;document.title" in page
    assert "{{ 7 * 7 }}" in page
    assert "\x00" not in page
    assert "\x07" not in page


def test_page_of_real_documents_is_sound(real_documents):
    page = render_page(real_documents[:30])
    outline = Outline(page)
    assert outline.open == []
    assert len(set(outline.ids)) == len(outline.ids)
    assert outline.targets <= {f"#{i}" for i in outline.ids}
    assert all(address.startswith("https://") for address in outline.addresses)
    assert not outline.attributes & {"style", "src", "srcset", "onclick"}
    mentions = sum(len(d.entities) for d in real_documents[:30])
    assert page.count('class="mention ') >= mentions
    for document in real_documents[:30]:
        assert page.count(f"PubMed {document.id}<") == 1


def test_text_comes_out_whole(real_documents):
    """The text between the tags of each document is its text, to the character."""
    for document in real_documents[:10]:
        page = render_page([document])
        article = page[page.index("<article") : page.index('<div class="findings">')]
        shown = re.sub(r"<[^>]+>", "", article).replace("&#34;", '"').replace("&#39;", "'")
        shown = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        for passage in document.passages:
            assert document.text[passage.start : passage.end].strip() in shown


def test_page_is_the_same_every_time(real_documents):
    assert render_page(real_documents[:3]) == render_page(real_documents[:3])


def test_split_and_nested_mentions_are_linked():
    document = Document(
        id="1",
        text="breast and ovarian cancer",
        entities=(
            Entity(
                type="Disease", spans=(Span(0, 6), Span(19, 25)), text="breast cancer",
                concepts=("D1",),
            ),
            Entity(type="Disease", spans=(Span(11, 25),), text="ovarian cancer", concepts=("D2",)),
        ),
    )  # fmt: skip
    page = render_page([document])
    assert 'class="mention disease begins ends joins" href="#d1-c1"' in page
    assert "nested" in page
    assert page.count('title="Disease') == 3


def test_empty_documents_and_failed_ones(nlp):
    page = render_page([simple_document("1", "", ""), failed(nlp("BRCA1"), ValueError("<odd>"))])
    assert Outline(page).open == []
    assert "No relations." in page
    assert "Not annotated: ValueError: &lt;odd&gt;" in page
    assert Outline(render_page([])).open == []


def test_the_best_sentence_is_the_first_that_a_row_names():
    text = "Olmatin. A rash of olmatin. A rash."
    found = (("Olmatin", 0), ("rash", 11), ("olmatin", 19), ("rash", 30))
    document = Document(
        id="1",
        text=text,
        entities=tuple(
            Entity(type="Gene", spans=(Span(n, n + len(name)),), text=name, concepts=(name[-4:],))
            for name, n in found
        ),
        relations=(
            Relation(
                type="Bind", head="atin", tail="rash", evidence=(Span(9, 27), Span(28, 35))
            ),
            Relation(type="Bind", head="atin", tail="rash", evidence=(Span(28, 35), Span(0, 8))),
        ),
    )  # fmt: skip
    page = render_page([document])
    assert re.findall(r'data-sentences="([^"]*)"', page) == ["d1-s2 d1-s3", "d1-s3 d1-s1"]


def test_local_ids_are_named_so(nlp):
    page = render_page([nlp("BRCA1 in breast cancer")])
    assert page.count('<span class="id">local id</span>') == 2
    assert "means nothing outside it" in page


def test_half_a_surrogate_pair_is_replaced(tmp_path):
    assert write_page([simple_document("1", "\ud83e", "")], tmp_path / "p.html") == 1
    assert "?" in (tmp_path / "p.html").read_text(encoding="utf-8")


def test_an_error_leaves_no_page(tmp_path):
    def broken():
        yield simple_document("1", "a", "b")
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        write_page(broken(), tmp_path / "p.html")
    assert list(tmp_path.iterdir()) == []


def test_deeply_nested_mentions_keep_tooltips_short():
    text = "word " * 100
    entities = tuple(
        Entity("Gene", (Span(n, 500 - n),), text[n : 500 - n], concepts=(str(n),))
        for n in range(200)
    )
    page = render_page([Document(id="1", text=text, entities=entities)])
    assert Outline(page).open == []
    assert "and 195 more around it" in page
    assert len(page) < 700_000  # 200 names of 500 characters at each of 400 stretches were 40 MB


def test_a_long_document_takes_time_in_proportion():
    def seconds(count: int) -> float:
        text = "BRCA1 in cancer. " * count
        entities = tuple(
            Entity("Gene", (Span(17 * n, 17 * n + 5),), "BRCA1", concepts=("1",))
            for n in range(count)
        )
        start = time.process_time()
        page = render_page([Document(id="1", text=text, entities=entities)])
        taken = time.process_time() - start
        assert page.count('class="sentence"') == count
        return taken

    seconds(10)
    assert seconds(2400) < 12 * max(seconds(600), 0.02)  # 16 times as long if it were quadratic


def test_what_turns_the_order_of_text_is_shown_as_a_mark():
    turned = "BRCA1 \N{RIGHT-TO-LEFT OVERRIDE}x\N{LEFT-TO-RIGHT ISOLATE} \ud800"
    page = render_page([Document(id=turned, text=turned)])
    assert not re.search("[\u202a-\u202e\u2066-\u2069\ud800]", page)
    assert "BRCA1 \N{REPLACEMENT CHARACTER}x\N{REPLACEMENT CHARACTER}" in page


def test_how_an_id_was_found_cannot_become_markup():
    infons = dict.fromkeys(("concept_name", "match", "score"), '"><b>&\u202e')
    entity = Entity("Gene", (Span(0, 1),), "a", concepts=("1",), infons=infons)
    page = render_page([Document(id="1", text="a", entities=(entity,))])
    assert "<b>&" not in page.split("</header>", 1)[1]
    assert "\u202e" not in page
    assert "&#34;&gt;&lt;b&gt;&amp;" in page

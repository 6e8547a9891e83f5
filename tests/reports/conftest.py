"""Documents for the tests of pages."""

import pytest

from bluered.documents.document import Document, Entity, Relation, Span, simple_document

EVIL = (
    "<script>document.title = 'taken'</script> \"quoted\" 'single' <img src=x onerror=alert(1)> "
    "&amp; </style></title> \u2028\u2029 \u202e {{ 7 * 7 }} {% raw %} \U0001f9ec e\u0301 \x00\x07"
)


@pytest.fixture
def evil() -> Document:
    """A document that would break a careless page: as text, ids, types and names."""
    text = f"{EVIL} BRCA1"
    start = text.index("<script>")
    mention = text[start : start + 30]
    entities = (
        Entity(
            type="Gene\"><b>", spans=(Span(start, start + 30),), text=mention,
            concepts=('x" onmouseover="alert(1)',),
        ),
        Entity(
            type="Disease", spans=(Span(len(text) - 5, len(text)),), text="BRCA1", concepts=("<i>",)
        ),
    )  # fmt: skip
    relation = Relation(
        type="Bind</script><script>", head=entities[0].concepts[0], tail="<i>", confidence=7.0
    )
    document = simple_document(EVIL, text)
    return Document(
        id=EVIL,
        text=document.text,
        passages=document.passages,
        entities=entities,
        relations=(relation,),
    )


@pytest.fixture
def real_documents(data_dir):
    from bluered.formats import read_file

    return list(read_file(data_dir / "biored" / "Test.PubTator"))

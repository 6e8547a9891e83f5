"""read(write(x)) is x, for everything a format can hold."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bluered.documents.document import (
    Document,
    Entity,
    MentionRelation,
    Passage,
    Relation,
    Span,
    covered_text,
)
from bluered.formats import FORMATS

# astral, combining, Unicode line ends, no-break space, tab, CR, LF, what formats use as marks
ALPHABET = "abZ9 -|;,<&>\"'#αµ\t\r\n\u2028\x85\u00a0e\u0301\u200b\U0001f9ec\U0001d6fc"
ONE_LINE = ALPHABET.translate(dict.fromkeys(map(ord, "\r\n")))
CONCEPTS = ["D003924", "3175", "c|DEL|-1607|G", "-", "RS#:113488022;HGVS:p.V600E", "CVCL_0030"]
PLAIN = ["D003924", "3175", "-1", "CVCL_0030"]
SETTINGS = settings(max_examples=30, deadline=None, derandomize=True)

texts = st.text(ALPHABET, max_size=20)
infons = st.dictionaries(st.sampled_from(["note", 'section <&> "x"', "α"]), texts, max_size=2)
confidences = st.none() | st.floats(0, 1)


def spans(length: int, pieces: int):
    """Strategies of non-empty spans in text order that do not overlap."""
    return (
        st.lists(st.integers(0, length), min_size=2 * pieces, max_size=2 * pieces, unique=True)
        .map(sorted)
        .map(lambda cuts: tuple(Span(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True)))
    )


@st.composite
def concepts(draw):
    if draw(st.booleans()):
        several = draw(st.lists(st.sampled_from(PLAIN), min_size=2, max_size=3))
        return tuple(several), draw(st.sampled_from(["alternatives", "composite"]))
    return (draw(st.sampled_from(CONCEPTS)),), None


@st.composite
def entities(draw, text: str, number: int, pieces: int):
    if len(text) < 2 * pieces:
        return None
    places = draw(spans(len(text), draw(st.integers(1, pieces))))
    ids, combination = draw(concepts())
    return Entity(
        type=draw(st.sampled_from(["Chemical", "Disease", "SNP"])),
        spans=places,
        text=covered_text(text, places),
        id=f"T{number + 1}",
        concepts=ids,
        combination=combination,
        confidence=draw(confidences),
        infons=draw(infons),
    )


@st.composite
def documents(draw, alphabet: str = ALPHABET, pieces: int = 2):
    """A document of title and abstract that uses every field of the model."""
    title, abstract = (draw(st.text(alphabet, max_size=30)) for _ in range(2))
    text = f"{title} {abstract}"
    found = [draw(entities(text, number, pieces)) for number in range(draw(st.integers(0, 4)))]
    found = sorted(
        (entity for entity in found if entity), key=lambda entity: entity.start > len(title)
    )
    names = [name for entity in found for name in entity.concepts]
    relations = [
        Relation(
            type=draw(st.sampled_from(["Association", "Bind"])),
            head=draw(st.sampled_from(names)),
            tail=draw(st.sampled_from(names)),
            id=f"R{number}",
            novel=draw(st.sampled_from([None, True, False])),
            roles=draw(st.sampled_from([None, ("Chemical", "Disease")])),
            confidence=draw(confidences),
            novelty_confidence=draw(confidences),
            evidence=draw(st.sampled_from([(), (Span(0, 1),), (Span(1, 2), Span(0, 1))])),
        )
        for number in range(draw(st.integers(0, 3)) if names else 0)
    ]
    mention_relations = [
        MentionRelation(
            type="Binds",
            head=draw(st.sampled_from(found)).id,
            tail=draw(st.sampled_from(found)).id,
            id=f"R{number + len(relations)}",
            roles=draw(st.sampled_from([None, ("Agent", "Target")])),
            confidence=draw(confidences),
            infons=draw(infons),
        )
        for number in range(draw(st.integers(0, 2)) if found else 0)
    ]
    return Document(
        id=draw(st.sampled_from(["1", "PMC1.2", "a b"])),
        text=text,
        passages=(
            Passage(type="title", start=0, end=len(title), infons=draw(infons)),
            Passage(type="abstract", start=len(title) + 1, end=len(text)),
        ),
        entities=tuple(found),
        relations=tuple(relations),
        mention_relations=tuple(mention_relations),
        infons=draw(infons),
    )


@st.composite
def pubtator_documents(draw):
    """A document without what PubTator has no place for."""
    document = draw(documents(alphabet=ONE_LINE, pieces=1))
    kept = [
        Entity(
            type=e.type, spans=e.spans, text=e.text, concepts=e.concepts, combination=e.combination
        )
        for e in document.entities
        if "\t" not in e.text
    ]
    names = {name for entity in kept for name in entity.concepts}
    return Document(
        id=document.id,
        text=document.text,
        passages=tuple(Passage(type=p.type, start=p.start, end=p.end) for p in document.passages),
        entities=tuple(kept),
        relations=tuple(
            Relation(type=r.type, head=r.head, tail=r.tail, novel=r.novel)
            for r in document.relations
            if {r.head, r.tail} <= names
        ),
    )


@st.composite
def conll_documents(draw):
    """A document as CoNLL has it: tokens with one space between, entities of whole tokens."""
    token = st.text("abZ9-αµe\u0301\U0001f9ec", min_size=1, max_size=4)
    sentences = draw(st.lists(st.lists(token, min_size=1, max_size=6), max_size=3))
    text = " ".join(word for sentence in sentences for word in sentence)
    passages, found, position = [], [], 0
    for sentence in sentences:
        start = position
        bounds = []
        for word in sentence:
            bounds.append((position, position + len(word)))
            position += len(word) + 1
        passages.append(Passage(type="sentence", start=start, end=position - 1))
        cuts = sorted(draw(st.lists(st.integers(0, len(sentence)), max_size=4, unique=True)))
        for first, last in zip(cuts[::2], cuts[1::2], strict=False):
            place = Span(bounds[first][0], bounds[last - 1][1])
            kind = draw(st.sampled_from(["Gene", "B-cell type"])).replace(" ", "_")
            found.append(
                Entity(
                    type=kind,
                    spans=(place,),
                    text=text[place.start : place.end],
                    id=f"T{len(found) + 1}",
                )
            )
    return Document(id="d 1", text=text, passages=tuple(passages), entities=tuple(found))


@st.composite
def plain_documents(draw):
    text = draw(st.text(ALPHABET, min_size=1).filter(lambda t: t.strip() and not t.endswith("\r")))
    return Document(id="d", text=text, passages=(Passage(type="text", start=0, end=len(text)),))


def written_and_read(name: str, docs: list[Document]) -> list[Document]:
    stream = io.BytesIO()
    assert FORMATS[name].write(docs, stream) == len(docs)
    return list(FORMATS[name].read(io.BytesIO(stream.getvalue()), source="d"))


@pytest.mark.parametrize("name", ["jsonl", "bioc-xml", "bioc-json", "brat"])
@SETTINGS
@given(docs=st.lists(documents(), max_size=2))
def test_formats_that_hold_everything(name, docs):
    assert written_and_read(name, docs) == docs


@SETTINGS
@given(docs=st.lists(pubtator_documents(), max_size=2))
def test_pubtator(docs):
    assert written_and_read("pubtator", docs) == docs


@SETTINGS
@given(docs=st.lists(conll_documents(), max_size=2))
def test_conll(docs):
    assert written_and_read("conll", docs) == docs


@SETTINGS
@given(document=plain_documents())
def test_plain(document):
    assert written_and_read("plain", [document]) == [document]


@pytest.mark.parametrize("name", ["pubtator", "conll", "plain"])
@SETTINGS
@given(document=documents())
def test_what_does_not_fit_is_written_readably(name, document):
    """No document makes a writer fail or write what its own reader refuses; offsets stay."""
    docs = [document]
    if name == "plain" and not document.text.strip():
        return
    read_back = written_and_read(name, docs)
    assert len(read_back) == len(docs)
    if name == "pubtator":
        for before, after in zip(docs, read_back, strict=True):
            assert [(e.start, e.end) for e in after.entities] == [
                (e.start, e.end) for e in before.entities
            ]

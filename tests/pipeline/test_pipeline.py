"""The pipeline on single texts and on streams with bad documents among the good."""

import operator
import os
import random
import subprocess
import sys
import time
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest

from bluered.documents.checks import faults
from bluered.documents.document import Document, Entity, Passage, Span
from bluered.errors import BlueredError, FormatError
from bluered.pipeline.parallel import ordered_map, ordered_map_in_processes
from bluered.pipeline.pipeline import ERROR

TEXT = "BRCA1 in breast cancer\n\nOlaparib slows breast cancers. MCF-7 cells lack BRCA1."


def test_a_text_gets_entities_concepts_and_relations(nlp):
    document = nlp(TEXT)
    assert document.text == TEXT
    assert [p.type for p in document.passages] == ["title", "abstract"]
    assert [e.text for e in document.entities][:2] == ["BRCA1", "breast cancer"]
    assert all(document.text[e.start : e.end] == e.text for e in document.entities)
    assert {c for e in document.entities for c in e.concepts} == {
        "local:brca1", "local:breast-cancer", "local:olaparib", "local:mcf-7",
    }  # fmt: skip
    assert ("local:olaparib", "local:breast-cancer") in {
        (r.head, r.tail) for r in document.relations
    }
    assert list(faults(document)) == []


def test_an_empty_text_gets_nothing(nlp):
    assert nlp("").entities == nlp(" \n ").relations == ()


def test_pipe_keeps_order_and_streams(nlp):
    endless = (f"Text {n} on BRCA1" for n in count())
    documents = list(islice(nlp.pipe(endless), 5))
    assert [d.text for d in documents] == [f"Text {n} on BRCA1" for n in range(5)]
    assert [d.id for d in documents] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [("BREAK BRCA1", "ValueError: a text this tagger cannot bear"), ("HALT BRCA1", "RuntimeError")],
)
def test_a_bad_document_comes_out_bare_and_stops_nothing(nlp, bad, reason):
    seen = []
    documents = list(
        nlp.pipe(["BRCA1", bad, "olaparib"], on_error=lambda d, e: seen.append((d.id, e)))
    )
    assert [len(d.entities) for d in documents] == [1, 0, 1]
    assert documents[1].infons[ERROR] == reason
    assert documents[1].text == bad
    assert [i for i, _ in seen] == ["2"]


def test_a_single_bad_text_raises(nlp):
    with pytest.raises(ValueError, match="cannot bear"):
        nlp("BREAK")


def test_errors_of_the_source_are_not_swallowed(nlp):
    def broken():
        yield "BRCA1"
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        list(nlp.pipe(broken()))


def test_steps_on_given_entities(nlp):
    entity = Entity(type="GeneOrGeneProduct", spans=(Span(0, 5),), text="BRCA1", concepts=("672",))
    other = Entity(type="ChemicalEntity", spans=(Span(10, 18),), text="olaparib", concepts=("-",))
    document = Document(id="1", text="BRCA1 and olaparib", entities=(entity, other))
    (related,) = nlp.relate(nlp.link([document]))
    assert [e.concepts for e in related.entities] == [("672",), ("local:olaparib",)]
    assert [(r.head, r.tail) for r in related.relations] == [("672", "local:olaparib")]
    (tagged,) = nlp.tag([related])
    assert tagged.relations == ()
    assert all(e.concepts == () for e in tagged.entities)


def test_given_entities_survive_a_failed_relation_step(nlp):
    entity = Entity(type="ChemicalEntity", spans=(Span(5, 13),), text="olaparib", concepts=("1",))
    document = Document(id="1", text="HALT olaparib", entities=(entity,))
    (out,) = nlp.relate([document])
    assert out.entities == (entity,)
    assert ERROR in out.infons


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_keep_the_order_of_the_stream(threads):
    rng = random.Random(1)
    delays = [rng.random() / 100 for _ in range(30)]

    def slow(item):
        number, delay = item
        time.sleep(delay)
        return number

    assert list(ordered_map(slow, enumerate(delays), threads=threads)) == list(range(30))


@pytest.mark.parametrize("threads", [1, 3])
def test_what_came_before_a_broken_stream_comes_out(threads):
    def broken():
        yield from range(7)
        raise OSError("disk gone")

    seen = []
    with pytest.raises(OSError, match="disk gone"):
        seen.extend(ordered_map(lambda x: seen.append(x), broken(), threads=threads))
    assert sorted(x for x in seen if x is not None) == list(range(7))


def test_an_endless_stream_is_read_a_few_items_ahead():
    taken = []

    def numbers():
        for number in count():
            taken.append(number)
            yield number

    results = ordered_map(lambda x: x, numbers(), threads=3)
    assert list(islice(results, 4)) == [0, 1, 2, 3]
    results.close()
    assert len(taken) <= 10


def test_processes_keep_the_order_of_the_stream():
    start = partial(partial, operator.mul, 3)
    numbers = ordered_map_in_processes(start, range(50), processes=2)
    assert list(numbers) == list(range(0, 150, 3))


def test_an_error_in_a_process_is_the_error():
    start = partial(partial, operator.truediv, 1)
    results = ordered_map_in_processes(start, [2, 4, 0, 5], processes=2)
    assert [next(results), next(results)] == [0.5, 0.25]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_a_process_that_dies_is_told_of():
    with pytest.raises(BlueredError, match="processes died"):
        list(ordered_map_in_processes(partial(partial, os._exit), [3], processes=2))


def test_processes_end_with_the_one_that_began_them(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import time\n"
        "from functools import partial\n"
        "from bluered.pipeline.parallel import ordered_map_in_processes\n"
        "if __name__ == '__main__':\n"
        "    start = partial(partial, pow, 2)\n"
        "    found = ordered_map_in_processes(start, range(8), processes=2)\n"
        "    print(next(found), flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        children = _children(parent.pid)
        assert len(children) >= 2
        parent.kill()
    deadline = time.monotonic() + 10
    while any(map(_runs, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_runs, children))


def _children(parent: int) -> list[int]:
    path = Path(f"/proc/{parent}/task/{parent}/children")
    if not path.is_file():
        pytest.skip("processes are listed below /proc on Linux only")
    return [int(child) for child in path.read_text().split()]


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("odd", [b"BRCA1", None, 3, ["BRCA1"]])
def test_what_is_no_text_is_named(nlp, odd):
    with pytest.raises(TypeError, match=rf"found {type(odd).__name__}$"):
        nlp(odd)
    stream = nlp.pipe(["BRCA1", odd])
    assert next(stream).text == "BRCA1"
    with pytest.raises(TypeError, match="expected a text"):
        next(stream)


@pytest.mark.parametrize("one", ["BRCA1", b"BRCA1", Document(id="1", text="BRCA1")])
def test_pipe_refuses_a_single_text(nlp, one):
    with pytest.raises(TypeError, match="call the pipeline itself"):
        nlp.pipe(one)


@pytest.mark.parametrize(
    "bad",
    [
        Document(id="1", text="BRCA1.", passages=(Passage(type="title", start=0, end=60),)),
        Document(id="1", text="BRCA1.", passages=(Passage(type="title", start=-5, end=3),)),
        Document(id="1", text="BRCA1.", entities=(Entity("Gene", (Span(3, 8),), "A1"),)),
        Document(id="1", text="BRCA1.", entities=(Entity("Gene", (), "BRCA1"),)),
    ],
)
def test_spans_outside_the_text_are_refused(nlp, bad):
    with pytest.raises(FormatError, match=r"document 1: .*(outside|leaves|no span)"):
        nlp(bad)
    failed = []
    for step in (nlp.pipe, nlp.tag, nlp.link, nlp.relate):
        bare, good = step(
            [bad, Document(id="2", text="BRCA1")], on_error=lambda *a: failed.append(a)
        )
        assert "FormatError" in bare.infons[ERROR]
        assert not good.infons
    assert len(failed) == 4

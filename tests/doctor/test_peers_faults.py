"""The faults that users of other tools report about offsets, Unicode and formats, each named.

The numbers are those of our list of such reports (issues of BigBIO, bioc, bconv, kindred,
PhenoTagger, BioBERT, BioREx, flair ...); all files are invented.
"""

import pytest

from bluered.doctor.examination import examine, repair
from bluered.errors import FormatError
from bluered.formats import read_file, write_file

TEXT = "TNF-\u03b1 and \U0001f9ec-actin rise. Cyclin D1 falls."


def codes(path, **options) -> dict[str, list[int | None]]:
    found: dict[str, list[int | None]] = {}
    for one in examine(path, **options):
        found.setdefault(one.code, []).append(one.line)
    return found


def mended(path):
    """The documents of the repaired copy, which has no error left."""
    copy = path.with_name(f"mended.{path.name}")
    repair(path, copy)
    assert [f for f in examine(copy) if f.severity == "error"] == []
    return list(read_file(copy))


def pubtator(tmp_path, *lines: str, name: str = "x.pubtator"):
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return path


def test_21_mentions_off_by_a_few_characters(tmp_path):
    path = pubtator(
        tmp_path, "1|t|Ocular toxicity", "1|a|None seen.", "1\t2\t8\tOcular\tDisease\tD1"
    )
    with pytest.raises(FormatError, match=r"x\.pubtator:3, document 1: offsets 2-8 cover"):
        list(read_file(path))
    assert codes(path) == {"shifted-offsets": [3]}
    assert mended(path)[0].entities[0].start == 0


def test_21_a_piece_of_a_discontinuous_mention_is_wrong(tmp_path):
    path = tmp_path / "x.bioc.xml"
    path.write_text(
        "<collection><document><id>1</id><passage><offset>0</offset>\n"
        "<text>ocular and auditory toxicity</text>\n"
        '<annotation id="0"><infon key="type">Disease</infon><infon key="identifier">D1</infon>\n'
        '<location offset="0" length="6"/><location offset="19" length="8"/>'
        "<text>ocular toxicity</text></annotation></passage></document></collection>"
    )
    assert codes(path) == {"shifted-offsets": [3]}
    assert [(s.start, s.end) for s in mended(path)[0].entities[0].spans] == [(0, 6), (20, 28)]


def test_22_one_text_two_offsets(tmp_path):
    """Discontinuous mentions are one entity of two spans, in BioC as in brat."""
    (tmp_path / "1.txt").write_text("ocular and auditory toxicity")
    (tmp_path / "1.ann").write_text("T1\tDisease 0 6;20 28\tocular toxicity\n")
    (document,) = read_file(tmp_path / "1.ann")
    assert [(s.start, s.end) for s in document.entities[0].spans] == [(0, 6), (20, 28)]
    write_file([document], tmp_path / "x.bioc.json")
    again = next(read_file(tmp_path / "x.bioc.json"))
    assert again.entities == document.entities
    (tmp_path / "1.ann").write_text("T1\tDisease 0 6;19 27\tocular toxicity\n")
    assert codes(tmp_path / "1.ann") == {"shifted-offsets": [None]}


def test_23_a_further_column_of_ids(tmp_path):
    path = pubtator(
        tmp_path, "1|t|V600E", "1|a|Found.", "1\t0\t5\tV600E\tSNP\tp|SUB|V|600|E\tRSID:113488022"
    )
    assert codes(path) == {"bar-in-id": [3]}
    (document,) = read_file(path)
    assert document.entities[0].concepts == ("p|SUB|V|600|E",)
    write_file([document], tmp_path / "y.pubtator")
    assert (tmp_path / "y.pubtator").read_bytes() == path.read_bytes()


def test_24_relations_of_five_columns_and_bars_in_ids(tmp_path):
    path = pubtator(
        tmp_path,
        "1|t|c.-1607delG and BRAF",
        "1|a|Found.",
        "1\t0\t11\tc.-1607delG\tSequenceVariant\tc|DEL|-1607|G",
        "1\t16\t20\tBRAF\tGene\t673",
        "1\tAssociation\tc|DEL|-1607|G\t673\tNovel",
    )
    assert codes(path) == {"bar-in-id": [3]}
    (document,) = read_file(path)
    assert document.relations[0].head == "c|DEL|-1607|G"
    assert document.relations[0].novel is True


def test_24_a_mention_without_an_id_is_no_relation(tmp_path):
    path = pubtator(
        tmp_path, "1|t|BRAF and RAF", "1|a|Text", "1\t0\t4\tBRAF\tGene", "1\t9\t12\tRAF\tGene\t"
    )
    assert codes(path) == {"five-columns": [3], "empty-id": [4]}
    (document,) = read_file(path)
    assert len(document.entities) == 2
    assert document.relations == ()


def test_25_bytes_counted_for_characters(tmp_path):
    title, abstract = TEXT.split(". ", 1)
    start = len(TEXT[: TEXT.index("Cyclin")].encode())
    path = pubtator(
        tmp_path,
        f"1|t|{title}.",
        f"1|a|{abstract}",
        "1\t0\t5\tTNF-\u03b1\tGene\t7124",
        f"1\t{start}\t{start + 9}\tCyclin D1\tGene\t595",
    )
    assert codes(path) == {"utf8-offsets": [4]}
    assert mended(path)[0].entities[1].start == TEXT.index("Cyclin")


def test_25_utf16_units_counted_for_characters(tmp_path):
    title, abstract = TEXT.split(". ", 1)
    start = TEXT.index("Cyclin") + 1  # one character of the title is a surrogate pair
    path = pubtator(
        tmp_path,
        f"1|t|{title}.",
        f"1|a|{abstract}",
        f"1\t{start}\t{start + 9}\tCyclin D1\tGene\t595",
    )
    assert codes(path) == {"utf16-offsets": [3]}
    assert mended(path)[0].entities[0].start == TEXT.index("Cyclin")


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("TNF-\u03b1 binds", "TNF-a"),
        ("TNF\u2010alpha binds", "TNF-alpha"),
        ("\ufb01brosis grows", "fibrosis"),
        ("Sjo\u0308gren \u2019s disease", "Sj\u00f6gren 's disease"),
        ("\u00b5-opioid", "\u03bc-opioid"),
        ("Tumor Necrosis Factor", "tumor necrosis factor"),
    ],
)
def test_25_normalised_text(tmp_path, text, mention):
    path = pubtator(
        tmp_path, f"1|t|{text}", "1|a|Text", f"1\t0\t{len(mention)}\t{mention}\tGene\t7124"
    )
    assert codes(path) == {"normalised-mention": [3]}
    entity = mended(path)[0].entities[0]
    assert text.startswith(entity.text)


def test_25_nul_bytes(tmp_path):
    path = tmp_path / "x.pubtator"
    path.write_bytes(b"1|t|Two\0words\n1|a|Text\n1\t4\t9\twords\tGene\t5\n\n")
    with pytest.raises(FormatError, match=r"x\.pubtator:1: NUL byte at byte 8 of the line"):
        list(read_file(path))
    assert codes(path) == {"nul": [1]}
    assert mended(path)[0].text == "Two words Text"


@pytest.mark.parametrize("ending", ["bioc.xml", "bioc.json"])
def test_26_offsets_of_the_passage_for_those_of_the_document(tmp_path, ending):
    path = tmp_path / f"x.{ending}"
    title, text = "T" * 113, "Cyclin D1 falls."
    if ending == "bioc.xml":
        path.write_text(
            f"<collection><document><id>1</id><passage><offset>0</offset><text>{title}</text>"
            f"</passage><passage><offset>114</offset><text>{text}</text>\n"
            '<annotation id="0"><infon key="type">Gene</infon><infon key="identifier">595</infon>'
            '<location offset="0" length="9"/><text>Cyclin D1</text></annotation>'
            "</passage></document></collection>"
        )
    else:
        path.write_text(
            f'{{"documents":[{{"id":"1","passages":[{{"offset":0,"text":"{title}"}},\n'
            f'{{"offset":114,"text":"{text}","annotations":[{{"id":"0","infons":{{"type":"Gene",'
            '"identifier":"595"},"text":"Cyclin D1","locations":[{"offset":0,"length":9}]}]}]}]}'
        )
    assert list(codes(path)) == ["passage-offsets"]
    assert mended(path)[0].entities[0].start == 114


def test_26_every_passage_begins_at_zero(tmp_path):
    path = tmp_path / "x.bioc.xml"
    path.write_text(
        "<collection><document><id>1</id><passage><offset>0</offset><text>A title</text>"
        "</passage>\n<passage><offset>0</offset><text>A mouse</text>\n"
        '<annotation id="0"><infon key="type">Species</infon>'
        '<location offset="2" length="5"/><text>mouse</text></annotation>'
        "</passage></document></collection>"
    )
    assert codes(path) == {"passage-order": [1], "passage-offsets": [3]}
    assert mended(path)[0].entities[0].start == 10


@pytest.mark.parametrize("space", ["\u2028", "\u00a0", "\u2003", "\x85", "\u200b", "\t"])
def test_27_unicode_spaces_shift_no_offset(tmp_path, space):
    path = pubtator(
        tmp_path, f"1|t|An{space}old mouse", "1|a|Ran", "1\t7\t12\tmouse\tSpecies\t10090"
    )
    (document,) = read_file(path)
    assert document.text[7:12] == "mouse"
    expected = {"line-separator": [1]} if space in "\u2028\x85" else {}
    assert codes(path) == expected
    assert mended(path)[0].entities == document.entities


def test_28_one_mention_of_many_ids_stays_one(tmp_path):
    path = pubtator(
        tmp_path, "1|t|globin genes", "1|a|Two", "1\t0\t6\tglobin\tGene\t3040,3048",
    )  # fmt: skip
    (document,) = read_file(path)
    assert [e.concepts for e in document.entities] == [("3040", "3048")]
    assert document.entities[0].combination == "alternatives"
    assert codes(path) == {}


def test_29_annotations_and_documents_twice(tmp_path):
    block = ["1|t|A mouse", "1|a|Ran", "1\t2\t7\tmouse\tSpecies\t10090"]
    path = pubtator(tmp_path, *block, block[2], "", *block)
    assert codes(path) == {"duplicate-annotation": [4], "duplicate-document": [6]}
    (document,) = mended(path)
    assert len(document.entities) == 1


@pytest.mark.parametrize("name", ["x.bioc.xml", "x.bioc.json", "x.jsonl"])
def test_29_documents_twice_in_other_formats(tmp_path, name):
    source = pubtator(tmp_path, "1|t|A mouse", "1|a|Ran", "1\t2\t7\tmouse\tSpecies\t10090")
    documents = list(read_file(source))
    path = tmp_path / name
    write_file(documents * 2, path)
    assert list(codes(path)) == ["duplicate-document"]
    assert len(mended(path)) == 1


def test_30_annotations_before_the_abstract_and_repeated_ids(tmp_path):
    path = pubtator(
        tmp_path,
        "1|t|A mouse",
        "1\t2\t7\tmouse\tSpecies\t10090",
        "1|a|Ran",
        "",
        "2|t|A rat",
        "2|a|Ran",
        "2\t2\t5\trat\tSpecies\t10116",
        "1\t8\t11\tRan\tGene\t5901",
    )
    assert codes(path) == {"annotation-before-abstract": [2], "foreign-line": [8]}
    first, second = mended(path)
    assert [e.text for e in first.entities] == ["mouse", "Ran"]
    assert [e.text for e in second.entities] == ["rat"]

from bluered.documents import Entity, Span
from bluered.inference.agreement import one_type_per_name


def mention(start: int, text: str, kind: str, confidence: float) -> Entity:
    return Entity(
        type=kind, spans=(Span(start, start + len(text)),), text=text, confidence=confidence
    )


def test_the_surer_type_wins_whatever_the_case():
    found = one_type_per_name(
        [
            mention(0, "A375", "SequenceVariant", 0.5),
            mention(9, "a375", "CellLine", 0.4),
            mention(20, "A375", "CellLine", 0.3),
            mention(30, "BRAF", "GeneOrGeneProduct", 0.9),
        ]
    )
    assert [e.type for e in found] == ["CellLine"] * 3 + ["GeneOrGeneProduct"]
    assert [e.start for e in found] == [0, 9, 20, 30]
    assert [e.confidence for e in found] == [0.5, 0.4, 0.3, 0.9]


def test_no_mentions():
    assert one_type_per_name([]) == ()

"""The gene of a variant in a long document."""

from bluered.documents.biored_types import GENE, VARIANT
from bluered.documents.document import Document, Entity, Span
from bluered.normalize.variants.genes import AT_MOST, gene_mentions, rank_genes


def test_the_nearest_gene_of_very_many_comes_first():
    count = 6 * AT_MOST
    text = "".join(f"G{number:04d} was seen. " for number in range(count)) + "V600E"
    step = len(text.removesuffix("V600E")) // count
    genes = [
        Entity(GENE, (Span(n * step, n * step + 5),), f"G{n:04d}", concepts=(str(n + 1),))
        for n in reversed(range(count))
    ]
    for place in (0, count // 2, count - 1):
        start = place * step + 6
        variant = Entity(VARIANT, (Span(start, start + 3),), text[start : start + 3])
        found = gene_mentions(Document(id="1", text=text, entities=(*genes, variant)))
        ranked = rank_genes(text, [variant], found)
        assert ranked[0] == str(place + 1)
        assert len(ranked) == count

"""The id of each variant mention of a document: an rs number or the normal form.

The rs number comes, in this order, from the mention itself, from the text beside it, from the same
variant elsewhere in the document, from the tables of known variants. Without one the id is the
normal form, as in BioRED.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from bluered.documents.biored_types import VARIANT
from bluered.documents.document import Document, Entity
from bluered.normalize.variants.context import choose
from bluered.normalize.variants.genes import GeneMentions, gene_mentions, rank_genes
from bluered.normalize.variants.groups import Group, variant_groups
from bluered.normalize.variants.known import Known, lookup, lookup_without_gene
from bluered.normalize.variants.notation import Reading
from bluered.normalize.variants.parse import readings
from bluered.normalize.variants.reasons import SCORES, Match, reason
from bluered.normalize.variants.rs import Beside, beside, numbers_at_places, rs_number
from bluered.normalize.variants.sameness import site
from bluered.normalize.variants.variant import Variant

GENES_TRIED = 5
"""So many of the genes nearest to a variant are looked up in the tables."""


class VariantLink(Struct, frozen=True, kw_only=True):
    """The id of a variant mention, and why.

    `gene` is the id of the gene that the variant belongs to, "" where the document has none; `form`
    the normal form, "" where the mention is a mere rs number; `runner_up` the id that came second.
    """

    concepts: tuple[str, ...]
    match: Match
    score: float
    gene: str = ""
    form: str = ""
    runner_up: str = ""
    reason: str = ""


def link_variants(document: Document) -> dict[int, VariantLink]:
    """Return the id of each sequence variant, by the index of its entity.

    Mentions that cannot be read are absent. Genes should have been linked before.
    """
    mentions = {i: e for i, e in enumerate(document.entities) if e.type == VARIANT}
    if not mentions:
        return {}
    numbers = {i: number for i, e in mentions.items() if (number := rs_number(e.text))}
    read = {
        i: (e.text, found)
        for i, e in mentions.items()
        if i not in numbers and (found := readings(e.text))
    }
    genes = gene_mentions(document)
    links = {
        i: _told(mentions[i], number, rank_genes(document.text, [mentions[i]], genes))
        for i, number in numbers.items()
    }
    return links | _linked(document, read, genes)


def _told(mention: Entity, number: str, genes: tuple[str, ...]) -> VariantLink:
    return VariantLink(
        concepts=(number,),
        match="rs in text",
        score=SCORES["rs in text"],
        gene=next(iter(genes), ""),
        reason=reason("rs in text", mention=mention.text, rs=number),
    )


def _linked(
    document: Document, read: Mapping[int, tuple[str, Reading]], genes: GeneMentions
) -> dict[int, VariantLink]:
    """Return the links of the mentions that are no rs numbers."""
    entities = document.entities
    chosen = choose(read)
    near = {
        i: rank_genes(document.text, [entities[i]], genes)[:GENES_TRIED]
        for i, (_, reading) in read.items()
        if len(reading) > 1
    }
    for index, tried in near.items():
        chosen[index] = _known_reading(chosen[index], read[index][1], tried)
    pairs = beside(document, {i: entities[i].spans[0] for i in read})
    groups = variant_groups(chosen, pairs)
    for group in groups:
        mentions = [entities[i] for i in group.mentions]
        group.genes = rank_genes(document.text, mentions, genes)
    _find_numbers(groups, chosen, pairs, numbers_at_places(document.text))
    links: dict[int, VariantLink] = {}
    for group in groups:
        for index in group.mentions:
            links[index] = _link(document, index, chosen[index], group, read[index][1])
    return links


def _known_reading(first: Variant, reading: Reading, genes: tuple[str, ...]) -> Variant:
    """Return the reading that is a known variant of a near gene, where the first one is not."""
    for gene in genes:
        for candidate in (first, *reading):
            if lookup(gene, candidate):
                return candidate
    return first


def _find_numbers(
    groups: list[Group],
    chosen: Mapping[int, Variant],
    pairs: list[Beside],
    at_places: Mapping[str, str],
) -> None:
    """Give the groups their rs numbers: those beside their mentions, else those of the tables."""
    for group in groups:
        for pair in pairs:
            if pair.rs and pair.mention in group.mentions:
                group.numbers[pair.rs] += 1
                if group.told_at < 0:
                    group.told_at = pair.mention
        for index in group.mentions:
            _, place = site(chosen[index])
            if place and place in at_places and not group.numbers:
                group.numbers[at_places[place]] += 1
                group.told_at = index
        if group.numbers:
            group.rs, group.match = group.numbers.most_common(1)[0][0], "apposition"
        elif found := next(_known(group, chosen), None):
            (known, group.told_at), group.match = found, "known variant"
            group.rs, group.source = known.rs, known.source
            group.genes = tuple(dict.fromkeys((known.gene, *group.genes)))


def _known(group: Group, chosen: Mapping[int, Variant]) -> Iterator[tuple[Known, int]]:
    """Yield what the tables know of a group's variants, of the nearest genes first.

    Where they know it of none of these, of a gene that the document has not (or not linked): in
    UniProt's table, where many genes have some like it, only if the document has no gene at all.
    """
    for gene in group.genes[:GENES_TRIED]:
        for index in group.mentions:
            if found := lookup(gene, chosen[index]):
                yield found, index
    for index in group.mentions:
        if found := lookup_without_gene(chosen[index], in_uniprot=not group.genes):
            yield found, index


def _link(
    document: Document, index: int, variant: Variant, group: Group, reading: Reading
) -> VariantLink:
    form = variant.form()
    gene = next(iter(group.genes), "")
    others = [other.form() for other in reading if other != variant]
    if not group.rs:
        match: Match = "normal form"
        concept, runner_up = form, next(iter(others), "")
    else:
        is_told = index == group.told_at or _written_alike(document, index, group.told_at)
        match = group.match if is_told else "same variant"
        rest = [number for number, _ in group.numbers.most_common(2)[1:]]
        concept, runner_up = group.rs, next(iter(rest), form)
    return VariantLink(
        concepts=(concept,),
        match=match,
        score=SCORES[match],
        gene=gene,
        form=form,
        runner_up=runner_up,
        reason=reason(
            match,
            mention=document.entities[index].text,
            rs=group.rs,
            other=document.entities[group.told_at].text,
            told_by=group.source,
            gene=gene,
            form=form,
        ),
    )


def _written_alike(document: Document, one: int, other: int) -> bool:
    """Tell whether two mentions are written alike."""
    return document.entities[one].text == document.entities[other].text

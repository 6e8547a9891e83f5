import pytest

from bluered.normalize.variants.context import choose
from bluered.normalize.variants.parse import readings


def forms(*mentions):
    found = choose({i: (text, readings(text)) for i, text in enumerate(mentions)})
    return [variant.form() for variant in found.values()]


@pytest.mark.parametrize(
    ("mentions", "form"),
    [
        (("G472A",), "c|SUB|G|472|A"),
        (("A49T", "V89L", "R246W"), "p|SUB|A|49|T"),
        (("C311A", "L351A"), "p|SUB|C|311|A"),
        (("C139T", "R47W"), "c|SUB|C|139|T"),
        (("C417T", "R124C"), "c|SUB|C|417|T"),
        (("A49T", "Ala49Thr"), "p|SUB|A|49|T"),
        (("C1228T", "L35P"), "c|SUB|C|1228|T"),
        (("lysine for glutamic acid at residue 325", "E325K"), "p|SUB|E|325|K"),
        (("alanine for valine at position 88", "p.Ala88Val"), "p|SUB|A|88|V"),
        (("714C", "V89L"), "c|Allele|C|714"),
        (("58C", "p.Cys58Tyr"), "p|Allele|C|58"),
    ],
)
def test_the_other_variants_tell_what_is_meant(mentions, form):
    assert forms(*mentions)[0] == form


def test_what_cannot_be_read_is_left_out():
    assert choose({3: ("the mutation", ())}) == {}

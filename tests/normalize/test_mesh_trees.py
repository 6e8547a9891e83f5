"""Which concepts of MeSH are diseases and chemicals."""

import pytest

from bluered.documents.biored_types import CHEMICAL, DISEASE
from bluered.normalize.mesh_trees import is_protein, mesh_types


@pytest.mark.parametrize(
    ("numbers", "types"),
    [
        ((), ()),
        (("C04.588.180",), (DISEASE,)),
        (("F03.600.300",), (DISEASE,)),
        (("F01.145.126.350",), ()),  # behaviour
        (("D02.241",), (CHEMICAL,)),
        (("D27.505", "C25.100"), (DISEASE, CHEMICAL)),
        (("A01.236", "G02.111"), ()),
        (iter(["D02.241", "C04"]), (DISEASE, CHEMICAL)),
    ],
)
def test_types_by_tree_numbers(numbers, types):
    assert mesh_types(numbers) == types


@pytest.mark.parametrize(
    ("name", "numbers", "expected"),
    [
        ("BRCA1 protein, human", (), True),
        ("CD20 antigen, human", (), True),
        ("olaparib", ("D03.383",), False),
        ("some kinase", ("D08.811.913", "D12.776.476"), True),
        ("some conjugate", ("D08.811.913", "D02.241"), False),
        ("unmapped", (), False),
        ("protein, of milk and eggs, dried 2", (), False),
        ("peptide X", ("D12.644",), False),
    ],
)
def test_records_of_single_proteins(name, numbers, expected):
    assert is_protein(name, numbers) is expected

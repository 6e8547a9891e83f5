"""Where the concepts and relations of a document stand in a small drawing.

The layout minimises stress (Gansner, Koren and North, Graph Drawing 2004) from a start on a circle,
then pushes overlapping boxes apart. Where there are many more relations than concepts, the concepts
stand on a ring instead, in the order of that layout's directions. Nothing in it is random: the same
document gives the same drawing.
"""

import math
from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct

from bluered.reports.view import Concept, RelationView

WIDTH = 440
_NODE_HEIGHT = 28.0
_MARGIN = 16  # around the drawing
_GAP = 24  # between boxes: room for a sign
_RING_STEP = 40  # from one box on a side of the ring to the next
_RING_BEND = 60  # how far the first and the last of a side stand inside
_LETTER = 7.6  # width of a letter at 13.5 px, generously
_LONGEST = 22  # letters of a name
_MOST_CONCEPTS = 18
_MOST_RELATIONS = 26
_STEPS = 50

_SIGNS = {
    "positive correlation": "+",
    "negative correlation": "\N{MINUS SIGN}",
    "association": "a",
    "bind": "b",
    "cotreatment": "&",
    "comparison": "=",
    "drug interaction": "!",
    "conversion": "\N{RIGHTWARDS ARROW}",
}


class Node(Struct, frozen=True):
    """A concept's box, by its centre and size."""

    concept: Concept
    label: str
    x: float
    y: float
    width: float
    height: float


class Edge(Struct, frozen=True):
    """A relation's line and the place of its sign; `number` is its row in the table."""

    number: int
    relation: RelationView
    sign: str
    x1: float
    y1: float
    x2: float
    y2: float
    sign_x: float
    sign_y: float


class Graph(Struct, frozen=True):
    """A drawing of `width` by `height`; `left_out` relations did not find room."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    left_out: int

    @property
    def signs(self) -> dict[str, str]:
        """The signs used and what each stands for."""
        return {edge.sign: edge.relation.label for edge in self.edges}


def graph(relations: Sequence[RelationView]) -> Graph | None:
    """Return the drawing of a document's relations (surest first), None where there are none."""
    shown, concepts = _chosen(relations)
    if not shown:
        return None
    order = sorted(concepts, key=lambda c: c.number)
    place = {concept.id: i for i, concept in enumerate(order)}
    links = [(place[r.head.id], place[r.tail.id]) for _, r in shown]
    labels = [_shortened(c.name) for c in order]
    sizes = [(len(label) * _LETTER + 20, _NODE_HEIGHT) for label in labels]
    points = _stress_layout(_distances(len(order), links))
    dense = len(order) > 5 and len(links) > 1.4 * len(order)
    centres = _ring(points, sizes) if dense else _place_boxes(points, sizes)
    height = max(y for _, y in centres) + _NODE_HEIGHT / 2 + _MARGIN
    nodes = tuple(
        Node(concept, label, round(x, 1), round(y, 1), round(w, 1), h)
        for concept, label, (x, y), (w, h) in zip(order, labels, centres, sizes, strict=True)
    )
    return Graph(
        WIDTH,
        round(height),
        nodes,
        _edges(shown, nodes, place, dense=dense),
        len(relations) - len(shown),
    )


def _chosen(
    relations: Sequence[RelationView],
) -> tuple[list[tuple[int, RelationView]], list[Concept]]:
    """Return the relations that are drawn, with their numbers, and their concepts."""
    shown: list[tuple[int, RelationView]] = []
    concepts: dict[str, Concept] = {}
    for number, relation in enumerate(relations, start=1):
        ends = {relation.head.id: relation.head, relation.tail.id: relation.tail}
        if (
            len(ends) == 2
            and len(shown) < _MOST_RELATIONS
            and len(concepts | ends) <= _MOST_CONCEPTS
        ):
            concepts |= ends
            shown.append((number, relation))
    return shown, list(concepts.values())


def _shortened(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _distances(count: int, links: list[tuple[int, int]]) -> list[list[float]]:
    """Return the number of relations between every two concepts; apart where there is no way."""
    apart = 2.5
    near: list[set[int]] = [set() for _ in range(count)]
    for a, b in links:
        near[a].add(b)
        near[b].add(a)
    result = [[apart] * count for _ in range(count)]
    for start in range(count):
        seen, border, steps = {start}, {start}, 0
        while border:
            for node in border:
                result[start][node] = steps
            border = {n for node in border for n in near[node]} - seen
            seen |= border
            steps += 1
    return result


def _stress_layout(distances: list[list[float]]) -> list[tuple[float, float]]:
    """Return points whose distances come near the wanted ones, by local majorisation."""
    count = len(distances)
    angles = [2 * math.pi * i / count for i in range(count)]
    points = [(math.cos(a) * count / 4, math.sin(a) * count / 4) for a in angles]
    for _ in range(_STEPS):
        for i in range(count):
            total = x = y = 0.0
            for j in range(count):
                if i == j:
                    continue
                wanted = distances[i][j]
                weight = wanted**-2
                dx, dy = points[i][0] - points[j][0], points[i][1] - points[j][1]
                length = math.hypot(dx, dy) or 1e-6
                x += weight * (points[j][0] + wanted * dx / length)
                y += weight * (points[j][1] + wanted * dy / length)
                total += weight
            points[i] = (x / total, y / total)
    return points


def _place_boxes(
    points: list[tuple[float, float]], sizes: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Return box centres within the drawing's width, no two boxes overlapping."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide = max(x for x, _ in points) - left or 1
    high = max(y for _, y in points) - top
    room = WIDTH - max(w for w, _ in sizes) - 2 * _MARGIN
    scale_x = room / wide
    scale_y = min(scale_x, max(100, 34 * len(points) / (high or 1)))
    offset = (WIDTH - room) / 2
    centres = [[(x - left) * scale_x + offset, (y - top) * scale_y] for x, y in points]
    for _ in range(400):
        if not _push_apart(centres, sizes):
            break
    top = min(y for _, y in centres) - _NODE_HEIGHT / 2 - _MARGIN
    return [(x, y - top) for x, y in centres]


def _ring(
    points: list[tuple[float, float]], sizes: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Return box centres on two bent sides, in the order of the points' directions."""
    count = len(points)
    middle = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    turn = sorted(
        range(count), key=lambda i: math.atan2(points[i][1] - middle[1], points[i][0] - middle[0])
    )
    right, left = turn[: (count + 1) // 2], turn[(count + 1) // 2 :][::-1]
    centres = [(0.0, 0.0)] * count
    for side, sign in ((right, 1), (left, -1)):
        step = _RING_STEP * (count + 1) // 2 / len(side)
        for row, i in enumerate(side):
            depth = 2 * (row + 0.5) / len(side) - 1  # -1 above, 1 below
            bend = _RING_BEND * (1 - math.sqrt(1 - depth**2))
            edge = _MARGIN / 2 + sizes[i][0] / 2 + bend
            centres[i] = (
                WIDTH - edge if sign > 0 else edge,
                _MARGIN + _NODE_HEIGHT / 2 + row * step,
            )
    return centres


def _push_apart(centres: list[list[float]], sizes: Sequence[tuple[float, float]]) -> bool:
    """Move overlapping boxes a little apart; tell whether any did overlap."""
    moved = False
    for i, j in combinations(range(len(centres)), 2):
        a, b = centres[i], centres[j]
        over_x = (sizes[i][0] + sizes[j][0]) / 2 + _GAP - abs(a[0] - b[0])
        over_y = (sizes[i][1] + sizes[j][1]) / 2 + _GAP - abs(a[1] - b[1])
        if over_x <= 0 or over_y <= 0:
            continue
        moved = True
        axis, over = (0, over_x) if over_x < over_y / 3 else (1, over_y)
        sign = 1 if a[axis] > b[axis] or (a[axis] == b[axis] and i > j) else -1
        a[axis] += sign * (over / 2 + 0.1)
        b[axis] -= sign * (over / 2 + 0.1)
        for centre, (width, _) in ((a, sizes[i]), (b, sizes[j])):
            edge = width / 2 + _MARGIN / 2
            centre[0] = min(max(centre[0], edge), WIDTH - edge)
    return moved


def _edges(
    shown: list[tuple[int, RelationView]],
    nodes: tuple[Node, ...],
    place: dict[str, int],
    *,
    dense: bool,
) -> tuple[Edge, ...]:
    """Return the lines; signs that would meet in the middle of a ring are moved along theirs."""
    seen: dict[frozenset[str], int] = {}
    edges: list[Edge] = []
    for number, relation in shown:
        head, tail = nodes[place[relation.head.id]], nodes[place[relation.tail.id]]
        pair = frozenset((relation.head.id, relation.tail.id))
        before = seen.get(pair, 0)
        seen[pair] = before + 1
        x1, y1 = _border(head, tail)
        x2, y2 = _border(tail, head)
        part = 0.5 + (0, 0.22, -0.22, 0.4, -0.4)[before % 5]
        if dense:
            part = 0.5 + (0, 0.16, -0.16, 0.28, -0.28)[number % 5]
        if relation.head.number > relation.tail.number:
            part = 1 - part
        sign = _SIGNS.get(relation.label.lower(), relation.label[:1].lower() or "?")
        edges.append(
            Edge(number, relation, sign, x1, y1, x2, y2,
                 round(x1 + (x2 - x1) * part, 1), round(y1 + (y2 - y1) * part, 1))
        )  # fmt: skip
    return tuple(edges)


def _border(node: Node, other: Node) -> tuple[float, float]:
    """Return where the line from a node's centre to another's leaves its box."""
    dx, dy = other.x - node.x, other.y - node.y
    part = min(
        node.width / 2 / abs(dx) if dx else math.inf,
        node.height / 2 / abs(dy) if dy else math.inf,
        1,
    )
    return round(node.x + dx * part, 1), round(node.y + dy * part, 1)

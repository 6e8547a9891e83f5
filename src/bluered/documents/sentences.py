"""Where sentences begin and end in the text of a document.

A small rule set for PubMed text: a full stop ends a sentence unless it belongs to an abbreviation
(`e.g.`, `vs.`, `Fig.`), an initial (`E. coli`), a decimal or an open bracket. What follows decides
where the full stop alone cannot: `Smith et al. (1999)` goes on, `Smith et al. We` does not.
The rules were written by looking at BioRED train and at the sentences of the DDI corpus.
"""

import re
from collections.abc import Iterator

from bluered.documents.document import Document, Span


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LABELS = (
    "AIMS? BACKGROUND CASE CONCLUSIONS? CONTEXT DESIGN DISCUSSION FINDINGS FUNDING HYPOTHESIS "
    "IMPORTANCE INTERPRETATION INTERVENTIONS? INTRODUCTION MAIN MATERIALS? MEASUREMENTS "
    "METHODOLOGY METHODS? OBJECTIVES? PARTICIPANTS PATIENTS PRINCIPAL PURPOSE RATIONALE RESULTS? "
    "SETTING SIGNIFICANCE STUDY SUBJECTS TRIAL"
).replace(" ", "|")

_CANDIDATE = re.compile(
    rf"""(?P<stop>[.?!]+)["'”’)\]]*(?:(?=\s)|(?<=[a-z0-9)][.?!])(?=(?P<glued>[A-Z][a-z]+)\b))
    |\n[ \t\r]*\n
    |(?<=\s)(?<![A-Z,/&-]\s)(?<!\band\s)(?=(?:{_LABELS})(?:[ ,/&-]+[A-Z]+){{0,4}}:\s)""",
    re.VERBOSE,
)
"""A stop before white space, a stop with the next sentence glued on, an empty line, or the place
before a structured abstract's label in capitals ("RESULTS: ")."""

_TOKEN_BEFORE = re.compile(r"[^\s(\[,;/]+\Z")
_NEXT_WORD = re.compile(r"\s*[\"'“‘(\[]*([^\s,;:)\]]+)")
_GENE_LIKE = re.compile(r"[a-z]+[-]?[A-Z0-9]|[α-ωµ]")  # p53, mRNA, c-Myc, α-synuclein

_NEVER_LAST = _words(
    """e.g i.e eg ie vs viz cf fig figs eq eqs ref refs tab dr drs prof mr mrs ms st no nos vol pp
    approx ca resp pts pt vol ser subsp ssp var cv nov gen sect suppl ed eds incl max min av avg
    i.e. e.g. n.b aff"""
)
"""Abbreviations that something always follows."""

_SOMETIMES_LAST = _words("al sp spp etc inc ltd co corp jr sr dept univ hr hrs wk yr yrs")
"""Abbreviations that also end sentences; the next word decides."""

_STARTERS = _words(
    """A Additionally After All Although Among An Analysis And As At Because Both But By Clinical
    Compared Conclusion Conclusions Data Despite During Each Eight Expression Finally First Five
    Following For Four Further Furthermore Genetic Given Here However If In Increased Interestingly
    It Its Methods Moreover Most Mutations Neither Nine No None Objective Of On One Only Our
    Overall Patients Previous Recent Recently Results Samples Second Seven Several Similar
    Similarly Since Six Some Subjects Such Ten That The Their Then There Therefore These They Third
    This Those Three Through Thus To Treatment Two Under Unlike Using We When Whereas Whether Which
    While With Within"""
)
"""Capitalised words that begin sentences far more often than they follow an abbreviation."""

_BRACKET_REACH = 160  # characters within which an open bracket is believed to be closed


def sentences(document: Document) -> list[Span]:
    """Return the sentences of a document in text order; none crosses a passage.

    Together they cover every character of the passages (or of the text, where there are none)
    except white space between and around them.
    """
    if not document.passages:
        return list(sentence_spans(document.text, 0, len(document.text)))
    return [
        span
        for passage in document.passages
        for span in sentence_spans(document.text, passage.start, passage.end)
    ]


def sentence_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences of `text[start:end]`, in offsets into the whole text."""
    first = start
    for match in _CANDIDATE.finditer(text, start, end):
        if match["stop"] and not _ends_sentence(text, match, first, end):
            continue
        if span := _trimmed(text, first, match.end()):
            yield span
        first = match.end()
    if span := _trimmed(text, first, end):
        yield span


def _trimmed(text: str, start: int, end: int) -> Span | None:
    """Return the stretch without white space at its ends, None where nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if end > start else None


def _ends_sentence(text: str, match: re.Match[str], first: int, end: int) -> bool:
    """Decide whether a stop ends the sentence that begins at `first`."""
    after, stop = match.end(), match.start("stop")
    following = _NEXT_WORD.match(text, after, end)
    if following is None:
        return True
    if _in_brackets(text, first, after, end):
        return False
    if match["glued"]:
        return match["glued"] in _STARTERS
    if match["stop"] != ".":
        return True
    token = _TOKEN_BEFORE.search(text, max(first, stop - 40), stop)
    if token is None:
        return True
    list_number = token[0].isdigit() and not text[first : token.start()].strip()
    return not list_number and _full_stop_ends(token[0], following[1])


def _full_stop_ends(token: str, following: str) -> bool:
    """Decide for one full stop from the word before it and the word after it."""
    bare = token.strip("\"'“‘").lower()
    if bare in _NEVER_LAST:
        return False
    if not (following[0].isupper() or following[0].isdigit() or _GENE_LIKE.match(following)):
        return False
    initial = len(bare) == 1 and token.isalpha() and token.isupper()
    inner_stop = "." in bare and bare.replace(".", "").isalpha()
    if inner_stop and bare.islower() and token.islower():  # "i.v. Rats", "i.p. 5 mg"
        return following[0].isupper()
    if initial or inner_stop or bare in _SOMETIMES_LAST:
        return following in _STARTERS
    return True


def _in_brackets(text: str, first: int, after: int, end: int) -> bool:
    """Tell whether a bracket opened since `first` is closed soon after `after`."""
    if text.count("(", first, after) <= text.count(")", first, after):
        return False
    reach = min(end, after + _BRACKET_REACH)
    closing = text.find(")", after, reach)
    opening = text.find("(", after, reach)
    return closing >= 0 and (opening < 0 or closing < opening)

"""What PubTator files hold beyond the document model: the infons it is kept in."""

COLUMNS = "pubtator.columns"  # "5": the mention line has no identifier column
EXTRA = "pubtator.extra"  # further columns, tab-separated
INDIVIDUAL = "pubtator.individual_mentions"  # BC5CDR's 7th column of a composite mention
SCORE = "pubtator.score"  # a score as written, so that it is written back digit for digit
BLANKS_BEFORE = "pubtator.blank_lines_before"  # 0 when absent
BLANKS_AFTER = "pubtator.blank_lines_after"  # 1 when absent
NOVELTY = {"Novel": True, "No": False}


def blank_lines(before: int, after: int) -> dict[str, str]:
    """Return the infons of a document with so many blank lines before and behind it."""
    infons: dict[str, str] = {}
    if before:
        infons[BLANKS_BEFORE] = str(before)
    if after != 1:
        infons[BLANKS_AFTER] = str(after)
    return infons

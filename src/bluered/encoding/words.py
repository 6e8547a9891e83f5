"""The words of a text without an encoder's vocabulary: what word vectors and ELMo know.

They are those of `tokens.tokenize` (BERT's pre-tokenizer: white space and every punctuation mark
separate), in the text's own letters, whatever tokenizer an encoder has.
"""

from tokenizers.pre_tokenizers import BertPreTokenizer

from bluered.documents.document import Span
from bluered.encoding.tokens import whole_characters

_BERT = BertPreTokenizer()


def words(text: str) -> list[Span]:
    """Return where the words of a text are, in order, by code points.

    >>> [text[s.start : s.end] for text in ["IL-2 rose."] for s in words(text)]
    ['IL', '-', '2', 'rose', '.']
    """
    return [Span(*bounds) for _, bounds in _BERT.pre_tokenize_str(whole_characters(text))]

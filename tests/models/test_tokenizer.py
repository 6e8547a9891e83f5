"""The tokenizer of an encoder is made from whichever files its folder holds; words are the same."""

import json
import shutil

import pytest

pytestmark = pytest.mark.train
pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

TEXT = "Loss of SCN5A (p.V600E), étude: GABA(A)-like mice!"
WORDS = "Loss of SCN5A ( p . V600E ) , étude : GABA ( A ) - like mice !".split()


def tokens_of(folder, text=TEXT):
    """Return the pieces and the words of a text, and the tokens around it."""
    from bluered.encoding.tagging import special_ids
    from bluered.encoding.tokens import tokenize
    from bluered.models.tokenizer import encoder_tokenizer

    tokenizer = encoder_tokenizer(folder)
    tokens = tokenize(text, tokenizer)
    pieces = [tokenizer.id_to_token(number) for number in tokens.ids.tolist()]
    spans = zip(tokens.word_starts.tolist(), tokens.word_ends.tolist(), strict=True)
    around = [tokenizer.id_to_token(number) for number in special_ids(tokenizer)]
    return pieces, [text[start:end] for start, end in spans], around


@pytest.fixture
def bert(tiny_encoder, tmp_path):
    """Give a BERT's folder with a vocab.txt of single characters and some words."""

    def folder(*words: str, config: dict | None = None):
        shutil.copy(tiny_encoder("Bert") / "config.json", tmp_path)
        characters = dict.fromkeys(TEXT.lower().replace("é", "e"))
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *characters]
        pieces += [f"##{c}" for c in characters] + list(words)
        (tmp_path / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
        if config is not None:
            (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
        return tmp_path

    return folder


def test_a_vocabulary_without_capitals_is_read_in_lower_case(bert):
    pieces, words, around = tokens_of(bert("loss", "etude"))
    assert pieces[0] == "loss"
    assert "etude" in pieces
    assert "[UNK]" not in pieces
    assert words == WORDS
    assert around == ["[CLS]", "[SEP]"]


def test_a_vocabulary_with_capitals_keeps_them(bert):
    pieces, words, _ = tokens_of(bert("Loss", "loss"))
    assert pieces[0] == "Loss"
    assert "[UNK]" in pieces  # SCN5A, of which it has no capitals
    assert words == WORDS


@pytest.mark.parametrize(("lower", "first"), [(True, "loss"), (False, "Loss")])
def test_what_the_configuration_says_of_case_counts(bert, lower, first):
    pieces, _, _ = tokens_of(bert("Loss", "loss", config={"do_lower_case": lower}))
    assert pieces[0] == first


def byte_level(folder):
    """Write a byte-level tokenizer, which knows `),` as one piece, as RoBERTa has it."""
    from tokenizers import ByteLevelBPETokenizer

    made = ByteLevelBPETokenizer()
    made.train_from_iterator(
        [TEXT, "mice (p), GABA), like mice of SCN"] * 30,
        vocab_size=340,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        show_progress=False,
    )
    made.save_model(str(folder))
    return made


@pytest.mark.parametrize("name", ["Roberta", "ModernBert"])
def test_bytes_are_cut_at_marks_and_keep_their_spaces(tiny_encoder, tmp_path, name):
    shutil.copy(tiny_encoder(name) / "config.json", tmp_path)
    own = byte_level(tmp_path)
    assert "),"  in own.encode(TEXT).tokens  # fmt: skip
    if name == "ModernBert":  # which comes with a tokenizer.json alone
        from tokenizers.processors import TemplateProcessing

        own._tokenizer.post_processor = TemplateProcessing(
            single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
        )
        own.save(str(tmp_path / "tokenizer.json"))
        (tmp_path / "vocab.json").unlink()
        (tmp_path / "merges.txt").unlink()
    pieces, words, around = tokens_of(tmp_path)
    assert words == WORDS
    assert around == ["<s>", "</s>"]
    whole = own.encode(TEXT, add_special_tokens=False).tokens
    assert "".join(pieces) == "".join(whole)  # the same text, spaces and all
    assert {")", ",", "Ġ("} <= set(pieces)
    assert "Ġmice" in pieces


def test_sentencepiece_is_cut_at_marks(tiny_encoder, tmp_path):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    listed = ["<unk>", "[CLS]", "[SEP]", "▁Loss", "▁of", "▁(", "),", ")", ",", "▁mice", "mice!"]
    listed += [c for c in dict.fromkeys(TEXT) if c != " "] + ["▁", "!"]
    made = Tokenizer(models.Unigram([(p, -float(i)) for i, p in enumerate(listed)], unk_id=0))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    shutil.copy(tiny_encoder("Albert") / "config.json", tmp_path)
    made.save(str(tmp_path / "tokenizer.json"))
    pieces, words, around = tokens_of(tmp_path)
    assert words == WORDS
    assert around == ["[CLS]", "[SEP]"]
    assert pieces[:2] == ["▁Loss", "▁of"]
    assert {"▁(", ")", ",", "▁mice"} <= set(pieces)
    assert "▁" not in pieces  # a space alone is no piece of a word
    assert "),"  not in pieces  # fmt: skip


def test_cutting_at_words_twice_is_cutting_once(tmp_path):
    from tokenizers import Tokenizer

    from bluered.encoding.tokens import cut_at_words

    byte_level(tmp_path).save(str(tmp_path / "tokenizer.json"))
    once = cut_at_words(Tokenizer.from_file(str(tmp_path / "tokenizer.json"))).to_str()
    assert cut_at_words(Tokenizer.from_str(once)).to_str() == once


@pytest.mark.parametrize("text", ["", " ", " \n ", "  a ", "a\u2028b", "½ … 𝛽𝛾 中"])
def test_words_of_any_text_lie_in_it(tiny_encoder, tmp_path, text):
    shutil.copy(tiny_encoder("Roberta") / "config.json", tmp_path)
    byte_level(tmp_path)
    pieces, words, _ = tokens_of(tmp_path, text)
    assert words == text.split()
    assert bool(pieces) == bool(words)


def test_a_folder_without_a_tokenizer_is_told(tiny_encoder):
    from bluered.errors import ModelError
    from bluered.models.tokenizer import encoder_tokenizer

    with pytest.raises(ModelError, match=r"no tokenizer at .*: expected tokenizer.json, vocab.txt"):
        encoder_tokenizer(tiny_encoder("Bert"))


def test_a_sentencepiece_model_alone_says_what_to_install(tiny_encoder, tmp_path, monkeypatch):
    from bluered.errors import ModelError
    from bluered.models import tokenizer

    shutil.copy(tiny_encoder("DebertaV2") / "config.json", tmp_path)
    (tmp_path / "spm.model").touch()
    monkeypatch.setattr(tokenizer, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match="pip install sentencepiece"):
        tokenizer.encoder_tokenizer(tmp_path)


def test_a_tokenizer_that_puts_nothing_around_a_text_is_told():
    from tokenizers import Tokenizer, models

    from bluered.encoding.tagging import special_ids
    from bluered.errors import ModelError

    with pytest.raises(ModelError, match="puts 0 tokens around a text"):
        special_ids(Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]")))

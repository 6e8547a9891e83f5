"""Every architecture of encoder loads from its folder, reads as its library says, and learns."""

import json
import shutil

import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch", reason="needs the train extra: pip install 'bluered[train]'")

NAMES = ("Bert", "Roberta", "Electra", "DistilBert", "Albert", "DebertaV2", "ModernBert")
every = pytest.mark.parametrize("name", NAMES)


def pieces(*lengths: int, longest: int = 0):
    """Return ids of windows of these lengths, padded with 0, and their mask."""
    generator = torch.Generator().manual_seed(5)
    longest = longest or max(lengths)
    ids = torch.randint(5, 120, (len(lengths), longest), generator=generator)
    mask = (torch.arange(longest) < torch.tensor(lengths)[:, None]).long()
    return ids * mask, mask


def typed(folder, *, kinds: int = 0, layers: int = 0):
    from bluered.models.encoder import TypedEncoder, build_encoder

    torch.manual_seed(1)
    encoder = build_encoder(folder, pretrained=True, layers=layers)
    return TypedEncoder(encoder, kinds=kinds).eval()


@every
def test_states_are_those_of_the_library_for_the_same_pieces(tiny_encoder, name):
    from transformers import AutoModel

    folder = tiny_encoder(name)
    ids, mask = pieces(30)
    library = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.no_grad():
        states = typed(folder)(ids, mask)
        expected = library(input_ids=ids, attention_mask=mask).last_hidden_state
    assert states.shape == (1, 30, 16)
    assert torch.allclose(states, expected, atol=1e-5)


@every
def test_padding_and_other_windows_change_nothing(tiny_encoder, name):
    encoder = typed(tiny_encoder(name), kinds=3)
    ids, mask = pieces(9, 20, 30)
    kinds = (ids % 3) * mask
    with torch.no_grad():
        together = encoder(ids, mask, kinds)
        for row, length in enumerate((9, 20, 30)):
            alone = encoder(ids[row : row + 1, :length], None, kinds[row : row + 1, :length])
            assert torch.allclose(together[row, :length], alone[0], atol=1e-5)


@every
def test_gradients_reach_every_weight_and_a_step_lowers_the_loss(tiny_encoder, name):
    from bluered.models.token_tagger import TokenTagger

    encoder = typed(tiny_encoder(name))
    torch.manual_seed(2)
    model = TokenTagger(encoder, tags=5, crf=True, dropout=0.0)  # in training, as the loop has it
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    model.train()
    ids, mask = pieces(12, 25)
    first = torch.arange(1, 11).expand(2, -1)
    tags, words = torch.arange(20).reshape(2, 10) % 5, torch.ones(2, 10, dtype=torch.bool)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    before = model.loss(model(ids, mask, first), tags, words)
    before.backward()
    without = [
        key
        for key, value in model.named_parameters()
        if "pooler" not in key and (value.grad is None or not value.grad.any())
    ]
    # attention adds the same to the score of every piece: a bias of keys has no effect
    unused = [k for k in without if ".key" not in k and "k_lin" not in k and "mask_emb" not in k]
    assert unused == []
    optimizer.step()
    assert model.loss(model(ids, mask, first), tags, words) < before


@every
def test_kinds_change_states_and_learn(tiny_encoder, name):
    encoder = typed(tiny_encoder(name), kinds=3)
    ids, mask = pieces(10)
    nothing, marked = torch.zeros_like(ids), torch.zeros_like(ids)
    marked[0, 4] = 2
    with torch.no_grad():
        assert torch.equal(encoder(ids, mask), encoder(ids, mask, nothing))
    states = encoder(ids, mask, marked)
    assert not torch.allclose(states, encoder(ids, mask, nothing), atol=1e-4)
    states.square().sum().backward()
    assert encoder.kinds.weight.grad[2].any()
    assert not encoder.kinds.weight.grad[0].any()


@every
def test_lower_layers_are_those_of_the_whole(tiny_encoder, name):
    """With two layers of three, states are the library's hidden states after the second."""
    folder = tiny_encoder(name)
    whole, lower = typed(folder).encoder, typed(folder, layers=2)
    assert lower.encoder.config.num_hidden_layers == 2
    ids, mask = pieces(20)
    with torch.no_grad():
        after = whole(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
        states = lower(ids, mask)
        expected = whole.final_norm(after[2]) if name == "ModernBert" else after[2]
    assert torch.allclose(states, expected, atol=1e-5)


@every
def test_what_is_saved_is_loaded_again_with_the_same_states(tiny_encoder, name, tmp_path):
    folder = tiny_encoder(name)
    encoder = typed(folder, layers=2)
    encoder.encoder.save_pretrained(tmp_path)
    ids, mask = pieces(20)
    with torch.no_grad():
        assert torch.equal(typed(tmp_path)(ids, mask), encoder(ids, mask))


@every
def test_a_window_longer_than_the_positions_is_told_before(tiny_encoder, name):
    from bluered.errors import ModelError
    from bluered.models.encoder import check_window, longest_window

    longest = 38 if name == "Roberta" else 40  # two of RoBERTa's 40 positions are never used
    assert longest_window(tiny_encoder(name)) == longest
    check_window(tiny_encoder(name), longest)
    with pytest.raises(ModelError, match=f"windows of {longest + 1} pieces .* window = {longest}"):
        check_window(tiny_encoder(name), longest + 1)
    ids, mask = pieces(longest)
    with torch.no_grad():
        assert typed(tiny_encoder(name))(ids, mask).isfinite().all()


@every
def test_dropout_of_attention_is_off_and_an_untrained_one_has_the_same_weights(tiny_encoder, name):
    from bluered.models.encoder import build_encoder

    folder = tiny_encoder(name)
    encoder = build_encoder(folder, pretrained=False)
    config = encoder.config.to_dict()
    assert config.get("attention_probs_dropout_prob", config.get("attention_dropout")) == 0.0
    encoder.load_state_dict(build_encoder(folder, pretrained=True).state_dict())


def test_more_layers_than_there_are_is_told(tiny_encoder):
    from bluered.errors import ModelError
    from bluered.models.encoder import build_encoder

    with pytest.raises(ModelError, match="has 3 layers: 4 were asked for"):
        build_encoder(tiny_encoder("DistilBert"), pretrained=True, layers=4)


def test_an_early_conversion_is_read(tiny_encoder, tmp_path):
    """Without a model type, in pickles, norms called gamma and beta, under the name of a head."""
    content = json.loads((tiny_encoder("Bert") / "config.json").read_text())
    del content["model_type"], content["architectures"]
    (tmp_path / "config.json").write_text(json.dumps(content))
    expected = typed(tiny_encoder("Bert"))
    old = {
        "bert."
        + k.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): v
        for k, v in expected.encoder.state_dict().items()
    }
    old["cls.predictions.bias"] = torch.zeros(120)
    torch.save(old, tmp_path / "pytorch_model.bin")
    ids, mask = pieces(20)
    with torch.no_grad():
        assert torch.equal(typed(tmp_path)(ids, mask), expected(ids, mask))


def test_weights_of_another_architecture_are_told(tiny_encoder, tmp_path):
    from bluered.errors import ModelError
    from bluered.models.encoder import build_encoder

    shutil.copy(tiny_encoder("Bert") / "config.json", tmp_path)
    shutil.copy(tiny_encoder("DistilBert") / "model.safetensors", tmp_path)
    with pytest.raises(ModelError, match=r"not those of its bert: .* others are missing"):
        build_encoder(tmp_path, pretrained=True)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ('{"model_type": "spoken"}', "no encoder that can be read: .*spoken"),
        ("{", "no encoder that can be read"),
        ("{}", "no weights that can be read: .*model.safetensors"),
    ],
)
def test_a_folder_that_cannot_be_read_is_one_line(tmp_path, config, message):
    from bluered.errors import ModelError
    from bluered.models.encoder import build_encoder

    (tmp_path / "config.json").write_text(config)
    with pytest.raises(ModelError, match=message) as caught:
        build_encoder(tmp_path, pretrained=True)
    assert "\n" not in str(caught.value)


def test_weights_of_tensorflow_only_are_told(tiny_encoder, tmp_path):
    """The files of BlueBERT's own archive."""
    from bluered.errors import ModelError
    from bluered.models.encoder import encoder_folder

    for name in ("bert_config.json", "bert_model.ckpt.index", "vocab.txt"):
        (tmp_path / name).touch()
    with pytest.raises(ModelError, match=r"TensorFlow only.*hf:bionlp/bluebert"):
        encoder_folder(str(tmp_path))
    shutil.copytree(tiny_encoder("Bert"), tmp_path, dirs_exist_ok=True)
    assert encoder_folder(str(tmp_path)) == tmp_path


def test_hidden_pieces_are_guessed_with_narrow_embeddings(tiny_encoder):
    """ALBERT's embeddings are half as wide as its states: the decoder is tied to them all same."""
    from bluered.models.language_model import LanguageModel

    model = LanguageModel(typed(tiny_encoder("Albert")))
    ids, mask = pieces(10, 20)
    hidden = (torch.arange(20) % 4 == 1).expand(2, -1) & mask.bool()
    assert model(ids, mask, hidden).shape == (int(hidden.sum()), 120)

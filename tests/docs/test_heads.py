"""docs/heads.md: its recipes are programs, and its bounds and names are those of the code."""

import ast
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from clockhead.model.heads import patterns
from clockhead.model.heads.head_scores import CLEAR
from clockhead.storyboard import data_files
from clockhead.storyboard.data_files import read_data

PAGE = (Path(__file__).parents[2] / "docs/heads.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^```python recipe=(\w+)\n(.*?)^```$", PAGE, re.M | re.S))


def test_there_are_three_recipes_of_a_dozen_lines():
    assert set(RECIPES) == {"transformers", "transformer_lens", "nnsight"}
    for code in RECIPES.values():
        assert len(code.splitlines()) <= 15


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_writes_what_is_read(name):
    tree = ast.parse(RECIPES[name])
    [call] = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.savez"
    ]
    assert ast.literal_eval(call.args[0]) == "heads.npz"
    written = {keyword.arg for keyword in call.keywords}
    assert {"tokens", "patterns"} <= written <= {"tokens", "patterns", "scores"}


@pytest.mark.skipif(not find_spec("transformers"), reason="no transformers here")
def test_the_recipe_of_transformers_runs(tmp_path, monkeypatch):
    """With a small model of random weights in place of gpt2, which would be downloaded."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    letters = {letter: n for n, letter in enumerate(pre_tokenizers.ByteLevel.alphabet())}
    tokenizer = Tokenizer(models.BPE(vocab=letters, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(tmp_path / "gpt2")
    shape = {"n_layer": 2, "n_head": 2, "n_embd": 16, "n_positions": 128}
    model = GPT2LMHeadModel(GPT2Config(vocab_size=len(letters), **shape))
    model.save_pretrained(tmp_path / "gpt2")
    monkeypatch.chdir(tmp_path)
    exec(RECIPES["transformers"], {})
    found = read_data(tmp_path / "heads.npz")[1]
    assert (found.n_layers, found.n_heads, found.is_causal) == (2, 2, True)
    assert found.labels[:3] == ("M", "r", "␣")


def test_the_bounds_are_those_of_the_code():
    n_layers, n_heads, n_tokens = 12, 12, 241
    patterns.check_size(n_layers, n_heads, n_tokens)
    with pytest.raises(ValueError, match=f"at most {n_tokens} tokens"):
        patterns.check_size(n_layers, n_heads, n_tokens + 1)
    for number in (
        f"{patterns.MAX_LAYERS} layers of {patterns.MAX_HEADS} heads and {patterns.MAX_TOKENS}",
        f"{patterns.MAX_WEIGHTS:,} weights",
        f"({n_layers} layers of {n_heads} heads) over {n_tokens} tokens",
        f"at most {data_files.MAX_DATA_MB} MB",
        f"within {np.format_float_positional(patterns.ROW_TOLERANCE)}",
        f"at least {CLEAR:.0%}".replace("%", " percent"),
    ):
        assert number in " ".join(PAGE.split()), number

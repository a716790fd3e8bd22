"""The films that ship: they load, keep their promises, and show every stage there is."""

import json
import re

import numpy as np
import pytest

from clockhead.libraries import BUILT_IN
from clockhead.scenes.stage import stage_names
from clockhead.storyboard.films import load_films
from clockhead.storyboard.models import storyboard_schema
from clockhead.storyboard.problems import StoryboardError
from tests.shipped import FILMS, shipped

on_each = pytest.mark.parametrize("name", FILMS)


def source(film: str) -> str:
    return (BUILT_IN.storyboards / f"{film}.yaml").read_text()


def test_the_films_ship():
    of_wendler = {"rope", "previous_token", "induction"}
    of_erzegovesi = {"attention", "transformer_block", "kv_cache", "ablation", "convolution"}
    of_wilhelm = {"caesar", "caesar_more", "one_layer", "vectors"}
    others = {"errata", "onehot_induction", "tour"}
    assert of_wendler | of_erzegovesi | of_wilhelm | others <= set(FILMS)


@on_each
def test_a_film_keeps_its_promises(name: str):
    film = shipped(name)
    assert film.failures == ()
    assert film.credit


@on_each
def test_a_film_shows_stages_of_one_folder(name: str):
    assert len({shot.stage.partition(".")[0] for shot in shipped(name).shots}) == 1


def test_every_stage_is_in_one_film_once():
    shown = [shot.stage for film in map(shipped, FILMS) for shot in film.shots]
    cards = [stage for stage in stage_names([BUILT_IN]) if stage.startswith(("card.", "heads."))]
    assert sorted([*shown, *cards]) == sorted(stage_names([BUILT_IN]))


@on_each
def test_every_shot_expects_something(name: str):
    """A film for next year refuses to be made when its point is gone."""
    film, text = shipped(name), source(name)
    for shot in film.shots:
        assert f"stage: {shot.stage}\n" in text
    assert text.count("expect:") == len(film.shots)


@on_each
def test_percentages_are_written_in_one_way(name: str):
    for shot in shipped(name).shots:
        told = shot.shot
        for text in (told.title, told.question, *told.sentences, told.caption):
            assert not re.search(r"\d\s+%|\bper ?cent\b", text), f"{shot.id}: {text}"


def test_the_schema_for_editors_is_fresh():
    """`clockhead schema > storyboards/storyboard.schema.json` makes it anew."""
    kept = json.loads((BUILT_IN.storyboards / "storyboard.schema.json").read_text())
    assert kept == json.loads(json.dumps(storyboard_schema()))


@on_each
def test_editors_are_told_of_the_schema(name: str):
    assert source(name).startswith("# yaml-language-server: $schema=storyboard.schema.json\n")


def near(value: float, digits: int):
    """A value that is known to so many decimals."""
    return pytest.approx(value, abs=0.5 * 10**-digits)


TRUE_FACTS = {
    "previous_token": {
        "score_as_clock_sum.target_sum": 16,
        "token_dependent_key.n_missed": 4,
        "second_look.n_found": 1,
        "second_look.follower": "sat",
    },
    "rope": {
        "aliasing.alias": 44,
        "frequencies.m": 44,
        "matrix.n_zeros": 48,
        "relative_offset.near.offset": -2,
        "relative_offset.near.score": near(4.69, 2),
        "relative_offset.far.score": near(4.69, 2),
        "relative_offset.stray_score": near(1.12, 2),
    },
    "ablation": {  # of six heads, the busiest has the most effect by chance in 1 of 6
        "one_by_one.n_words_changed": 0,
        "isolation.n_reached": 2,
        "looks.many.chance": near(1 / 6, 9),
        "looks.many.share": pytest.approx(0.2, abs=0.02),
    },
    "induction": {  # the kernel of width 32 is 16 at distance 0; alpha and beta are 10
        "match.match_score": near(9.98, 2),
        "match.other_score": near(0.01, 3),
        "nonsense.head.prediction": "blick",
        "nonsense.named.prediction": "Byron",
        "lanes.head.least_stored": near(0.9979, 4),
        "probabilities.sure.flat_lead": near(np.e / (np.e + 4), 3),
        "rank.crowd.beta_one_hot": near(np.log(99 * 99), 6),
    },
    "tour": {
        "stacks.target_sum": 16,
        "code.typed": "jha",
        "code.answer": "zha",
        "alphabets.found": 7,
    },
    "one_layer": {
        "wave.wide.n_neurons": 6,
        "wave.wide.error": near(0.0875, 9),
        "wave.narrow.error": near(0.00875, 9),
        "block.n_changed": 1,
    },
    "vectors": {  # of three people one is nearest, one largest and one closest in direction
        "distance.nearest_names": "Cleo",
        "distance.far_distance": 5,
        "distance.detour": near(5**0.5 + 10**0.5, 9),
        "dot.highest_names": "Dan",
        "dot.most_dot": 15,
        "dot.loud_shadow": near(3 * 5**0.5, 9),
        "cosine.closest_names": "Ben",
        "cosine.most_cosine": 1,
        "keys.stolen": "“cat” and “dog”",
        "raters.n_winners": 3,
    },
    "convolution": {  # worked by hand in the primer
        "walk.first_sum": -3,
        "walk.second_sum": 6,
        "walk.third_sum": -3,
        "shifted.n_led": 3,
        "pixels.score": 5,
        "pixels.moved_score": 0,
        "content.text.back": 6,
        "content.other.back": 4,
    },
    "caesar": {
        "wheel.tried": 3,
        "histogram.is_read": True,
        "dot_products.found": 7,
        "dot_products.runner_up": 22,
        "angle.rules_differ": True,
        "guesses.transformer.settled_after": 14,
    },
    "caesar_more": {
        "how_much_text.short.found": 25,
        "how_much_text.short.place": 9,
        "how_much_text.dot": pytest.approx(0.84, abs=0.005),
        "how_much_text.log_likelihood": pytest.approx(0.927, abs=0.005),
        "how_much_text.commonest": pytest.approx(0.248, abs=0.005),
        "learned.correlation": near(0.957, 3),
        "learned.learned_accuracy": near(0.7, 3),
        "arbitrary_embedding.fewer_agreement": pytest.approx(0.75, abs=0.01),
    },
    "transformer_block": {  # two heads of three columns, an MLP of eight
        "lanes.n_heads": 2,
        "lanes.d_head": 3,
        "stack.n_in_layer": 4 * 6 * 6 + 2 * 6 * 8,
        "stack.gpt_2.total": 124_439_808,
    },
    "errata": {  # numbers of the tables as printed, compared one by one
        "missing_one.n_wrong": 24,
        "missing_one.n_numbers": 288,
        "slices.n_not_turned": 52,
        "slices.printed_share": near(0.51, 2),
        "tables.n_wrong": 45,
        "tables.n_numbers": 95,
        "rounding.printed.n_right": 289,
        "rounding.printed.n_numbers": 290,
    },
    "kv_cache": {  # 16 GiB for 32,768 tokens, and DeepSeek's 576 numbers a layer
        "again.recomputed": 2600,
        "again.cached": 300,
        "memory.sizes.total_bytes": 16 * 2**30,
        "memory.parameters.total": 6_738_415_616,
        "memory.n_beside": 3,
        "shared.caches.latent.total_bytes": 576 * 32 * 32_768 * 2,
    },
}
"""What is derived by hand for the inputs of a film, as the film itself says it."""


@pytest.mark.parametrize("name", TRUE_FACTS)
def test_a_film_says_true_values(name: str):
    facts = {
        f"{shot.id}.{path}": fact
        for shot in shipped(name).shots
        for path, fact in shot.facts.items()
    }
    wanted = TRUE_FACTS[name]
    assert {path: facts[path] for path in wanted} == wanted


@pytest.mark.parametrize(
    ("film", "path", "low", "high"),
    [
        ("previous_token", "sub_diagonal.worst_weight", 0.99, 1),
        ("previous_token", "copy_value.copied.worst_share", 0.99, 1),
        ("rope", "aliasing.schedule_weight", 0.997, 1),
        ("ablation", "looks.many.spreads_above_chance", 3, np.inf),
        ("induction", "match.match_weight", 0.999, 1),
        ("tour", "line.worst_weight", 0.99, 1),
        ("tour", "alphabets.letters_too_few", 2, np.inf),
        ("caesar_more", "arbitrary_embedding.difference", 0, 4e-15),
        ("caesar_more", "posterior.chance", 0.99, 1),
    ],
)
def test_a_film_keeps_within_a_bound(film: str, path: str, low: float, high: float):
    shot, _, fact = path.partition(".")
    [facts] = [one.facts for one in shipped(film).shots if one.id == shot]
    assert low <= facts[fact] <= high


def test_films_draw_true_arrays():
    """Kernels of width 32, worked examples of the primer, and patterns that are counted by hand."""

    def array(film: str, shot: str, name: str):
        [arrays] = [one.arrays() for one in shipped(film).shots if one.id == shot]
        return arrays[name]

    kernel = {round(float(v), 4) for v in array("previous_token", "score_as_clock_sum", "sums")}
    assert {16.0, 15.3136, 13.7301, 12.2724, 11.6615} <= kernel
    bites = {
        ("word_order", "words.plain_scores"): [2.07, 2.19],
        ("who_bites", "words.scores"): [3.96, 1.32],
        ("who_bites", "swapped.scores"): [2.59, 0.65],
    }
    for (shot, name), scores in bites.items():
        assert array("rope", shot, name)[[0, 2]] == pytest.approx(scores, abs=5e-3)
    outputs = array("induction", "prediction", "outputs")  # BOS, zorp, blick, wug, dax
    assert outputs[1] == pytest.approx([0, 0, 2 / 3, 0, 1 / 3], abs=1e-3)
    last, first = (array("errata", "mask", f"{how}.true") for how in ("last", "first"))
    assert (last[3, 2], first[3, 2]) == pytest.approx((0.5, 1.0))
    assert first[4] == pytest.approx([0.2, 0.2, 0.2, 0.2, 0.2, 0])
    shares = array("onehot_induction", "answer", "shares")[4, :4]
    assert 100 * shares == pytest.approx([20, 40, 20, 20])
    outputs = array("tour", "attention", "outputs")  # of ten tokens three are "the", two "cat"
    assert outputs[0].max() > 0.999
    assert np.sort(outputs[-1]) == pytest.approx([0.1] * 5 + [0.2, 0.3], abs=1e-3)
    assert array("convolution", "classify", "logits").tolist() == [24, 0]
    assert array("convolution", "shifted", "evidence").tolist() == [0, 12, 24, 12, 0]
    weights = [0.2961384789, 0.2859865713, 0.4178748498]
    assert array("attention", "softmax", "last_weights") == pytest.approx(weights, abs=1e-6)


@pytest.mark.parametrize(
    ("film", "settings"),
    [
        ("induction", ["text=to be or not to"]),
        ("induction", ["text=b a n a n a b"]),
        ("induction", ["text=i a i"]),
        ("induction", ["text=the cat and the dog and the", "alpha=20", "beta=20"]),
        ("onehot_induction", ["text=!abcab"]),
        ("onehot_induction", ["text=a"]),
        ("onehot_induction", ["text=noon"]),
        ("caesar", ["text=meet me under the old oak tree at midnight", "rotation=3"]),
        ("caesar", ["rotation=0"]),
        ("caesar", ["text=the quick brown fox jumps over the lazy dog", "rotation=5"]),
        ("caesar", ["text=a bay", "x=b"]),
        ("caesar_more", ["rotation=0"]),
        ("caesar_more", ["text=the quick brown fox jumps over the lazy dog", "short_text=hello"]),
        ("caesar_more", ["text=a bay", "length=4", "learned_length=5", "word=abca"]),
        ("transformer_block", ["n_heads=3", "d_ff=4"]),
        ("transformer_block", ["n_heads=1", "d_ff=6"]),
        ("attention", ["text=a a a", "temperature.temperatures=[0.05]", "topic=barn"]),
        ("kv_cache", ["n_layers=126", "n_heads=128", "n_kv_heads=8", "d_ff=53248"]),
        ("kv_cache", ["n_heads=31", "memory_gb=8", "n_mlp_matrices=2", "rope_width=0"]),
        ("tour", ["text=the cat and the dog and the", "rotation=3"]),
        ("tour", ["text=all happy families are alike"]),
        ("tour", ["text=e r r e", "rotation=14"]),
        ("ablation", ["text=dog bites man", "seed=3", "n_heads=3"]),
        ("ablation", ["text=a a a a a", "looks.n_heads=2", "place=4"]),
        ("previous_token", ["d_head=64"]),
        ("previous_token", ["text=Hello world", "m=11"]),
        ("previous_token", ["text=a rose is a rose is a rose"]),
        ("rope", ["d_head=6", "text=the dog barked loudly"]),
        ("rope", ["d_head=4", "m=12", "n=9", "long=60"]),
        ("one_layer", ["levels=[0, 1]", "jumps=[0]"]),
        ("vectors", ["raters=Ida Jo Kim Lou", "films=war peace love", "length=2"]),
        ("convolution", ["image=00000 01110 01000 01110 01000 01000"]),
        ("convolution", ["text=x y a b c d a"]),
        ("convolution", ["image=00000 00000 11111 00000 00000"]),
        ("convolution", ["image=00100 00100 11111 00100 00100"]),
        ("convolution", ["other_text=to be or not to be"]),
        ("vectors", ["length=1.1"]),
        ("vectors", ["ratings=[[3, 1, 0], [-1, -3, 0], [-2, 0, 0], [-5, -5, -5]]"]),
        ("vectors", ["text=a b c"]),
        ("one_layer", ["curve=bell", "jumps=[0, 0.1]"]),
        ("one_layer", ["levels=[0, 1, 0, 1, 0]", "epsilon=0.005", "steepness=1000"]),
        ("induction", ["alpha=5", "beta=5"]),
        ("induction", ["beta=10000", "n_large=28"]),
    ],
    ids=str,
)
def test_a_film_keeps_its_promises_for_other_texts(film: str, settings: list[str]):
    (found,) = load_films([film], settings=settings)
    assert found.failures == ()


def test_a_film_whose_point_is_gone_says_the_value():
    (found,) = load_films(["previous_token"], settings=["alpha=2"])
    assert any("--set alpha=" in str(failure) for failure in found.failures)


@pytest.mark.parametrize(
    ("settings", "named", "works"),
    [
        (["n_groups=7"], "n_groups=7", "n_groups=8"),
        (["n_heads=12", "n_groups=7"], "n_groups=7", "n_groups=6"),
        (["n_heads=200", "n_groups=8"], "n_heads=200", "n_heads=128"),
        (["n_heads=3"], "n_heads=3", "n_heads=4"),
        (["latent_width=4096", "n_heads=8"], "latent_width=4096", "latent_width=512"),
        (["n_heads=12", "n_kv_heads=5"], "n_kv_heads=5", "n_kv_heads=null"),
    ],
    ids=str,
)
def test_sizes_of_a_cache_that_do_not_fit_are_refused_once_by_the_name_that_was_typed(
    settings: list[str], named: str, works: str
):
    with pytest.raises(StoryboardError) as refused:
        load_films(["kv_cache"], settings=settings)
    [problem] = refused.value.problems
    assert str(problem).startswith(f"--set {named}: ")
    given = [works if line == named else line for line in settings]
    (found,) = load_films(["kv_cache"], settings=given)
    assert found.failures == ()


@pytest.mark.parametrize(
    "film",
    [
        *("attention", "caesar", "induction", "kv_cache", "previous_token", "rope"),
        *("tour", "transformer_block"),
    ],
)
def test_a_film_takes_a_text_that_everybody_tries(film: str):
    [made] = load_films([film], settings=["text=attention is all you need"])
    texts = {s.shot.inputs.text for s in made.shots if hasattr(s.shot.inputs, "text")}
    asks_again = " attention" if film in ("induction", "tour") else ""
    assert texts == {f"attention is all you need{asks_again}"}


@pytest.mark.parametrize(
    ("film", "given", "lines"),
    [
        ("kv_cache", "n_tokens=5", ["n_prompt is adjusted: 6 -> 5 (in prefill)"]),
        ("kv_cache", "n_tokens=12", []),
        (
            "attention",
            "project.text=the dog sat",
            ["seed is adjusted: null -> 0 (in project)"],
        ),
        ("attention", "text=the cat sat", []),
    ],
)
def test_inputs_that_nobody_set_give_way(film: str, given: str, lines: list[str]):
    [made] = load_films([film], settings=[given])
    assert list(made.adjustment_lines()) == lines

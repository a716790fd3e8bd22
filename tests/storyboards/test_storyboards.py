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
    of_wilhelm = {"caesar", "one_layer", "vectors"}
    others = {"onehot_induction", "tour"}
    assert of_wendler | of_erzegovesi | of_wilhelm | others <= set(FILMS)


@on_each
def test_a_film_keeps_its_promises(name: str):
    film = shipped(name)
    assert film.failures == ()
    assert film.credit


@on_each
def test_a_film_shows_every_stage_of_one_folder_once(name: str):
    shown = [shot.stage for shot in shipped(name).shots]
    (folder,) = {stage.partition(".")[0] for stage in shown}
    assert sorted(shown) == sorted(s for s in stage_names([BUILT_IN]) if s.startswith(f"{folder}."))


def test_every_stage_is_in_a_film():
    shown = {shot.stage for film in map(shipped, FILMS) for shot in film.shots}
    assert shown == set(stage_names([BUILT_IN]))


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
        for text in (told.title, told.question, *told.notes, told.caption):
            assert not re.search(r"\d\s+%|\bper ?cent\b", text), f"{shot.id}: {text}"


def test_the_schema_for_editors_is_fresh():
    """`clockhead schema > storyboards/storyboard.schema.json` makes it anew."""
    kept = json.loads((BUILT_IN.storyboards / "storyboard.schema.json").read_text())
    assert kept == json.loads(json.dumps(storyboard_schema()))


@on_each
def test_editors_are_told_of_the_schema(name: str):
    assert source(name).startswith("# yaml-language-server: $schema=storyboard.schema.json\n")


def test_true_values_of_the_previous_token_film():
    """What is derived by hand for width 32, as the film itself says it."""
    film = shipped("previous_token")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert facts["sharpness"]["alpha_99"] == pytest.approx(7.705, abs=5e-4)
    assert facts["score_as_clock_sum"]["target_sum"] == 16
    arrays = {shot.id: shot.arrays() for shot in film.shots}
    kernel = {round(v, 4) for v in map(float, arrays["score_as_clock_sum"]["sums"])}
    assert {16.0, 15.3136, 13.7301, 12.2724, 11.6615} <= kernel
    for shot, share in (("sub_diagonal", "worst_weight"), ("copy_value", "copied.worst_share")):
        assert facts[shot][share] >= 0.99
    assert facts["token_dependent_key"]["n_missed"] == 4
    assert (facts["second_look"]["n_found"], facts["second_look"]["follower"]) == (1, "sat")


def test_true_values_of_the_rope_film():
    film = shipped("rope")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert facts["aliasing"]["alias"] == 44
    assert facts["aliasing"]["alias_cosine"] == pytest.approx(0.99984, abs=5e-6)
    assert facts["aliasing"]["weight_short"] == pytest.approx(0.709, abs=5e-4)
    assert facts["aliasing"]["weight_long"] == pytest.approx(0.419, abs=5e-4)
    assert facts["aliasing"]["schedule_weight_long"] > 0.997
    assert facts["frequencies"]["slowest_period"] == pytest.approx(2000 * np.pi)
    assert facts["matrix"]["n_zeros"] == 48
    assert (
        facts["composition"]["product.offset"],
        facts["relative_offset"]["near.offset"],
    ) == (-2, -2)
    arrays = {shot.id: shot.arrays() for shot in film.shots}
    assert arrays["word_order"]["words.plain_scores"][[0, 2]] == pytest.approx([2.07, 2.19])
    assert arrays["who_bites"]["words.scores"][[0, 2]] == pytest.approx([3.96, 1.32], abs=5e-3)
    assert arrays["who_bites"]["swapped.scores"][[0, 2]] == pytest.approx([2.59, 0.65], abs=5e-3)
    scores = [facts["relative_offset"][f"{name}.score"] for name in ("near", "far")]
    assert scores == pytest.approx([4.69, 4.69], abs=5e-3)
    assert facts["relative_offset"]["stray_score"] == pytest.approx(1.12, abs=5e-3)


def test_true_values_of_the_ablation_film():
    """The primer's weights as they are; of six heads, the busiest is one by chance in 1 of 6."""
    film = shipped("ablation")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert facts["silence"]["n_heads_in_all"] == 4
    assert facts["one_by_one"]["most"] == pytest.approx(0.1932, abs=5e-5)
    assert facts["one_by_one"]["off_effect"] == pytest.approx(0.3058, abs=5e-5)
    assert facts["one_by_one"]["n_words_changed"] == 0
    assert facts["isolation"]["n_reached"] == 2
    assert not facts["looks"]["busiest_is_strongest"]
    assert facts["looks"]["many.chance"] == pytest.approx(1 / 6)
    assert facts["looks"]["many.share"] == pytest.approx(0.2, abs=0.02)
    assert facts["looks"]["many.spreads_above_chance"] > 3


def test_true_values_of_the_induction_film():
    """The kernel of width 32 is 16 at distance 0 and 15.3136 at 1; its alpha is 10, and beta 10."""
    film = shipped("induction")
    facts = {shot.id: shot.facts for shot in film.shots}
    arrays = {shot.id: shot.arrays() for shot in film.shots}
    assert facts["match"]["match_score"] == pytest.approx(9.98, abs=5e-3)
    assert facts["match"]["other_score"] == pytest.approx(0.01, abs=5e-4)
    assert facts["nonsense"]["head.prediction"] == "blick"
    assert facts["lanes"]["head.least_stored"] == pytest.approx(0.9979, abs=5e-5)
    assert facts["match"]["match_weight"] > 0.999
    # Of eight tokens one has a logit of nearly 1, the others of nearly 0.
    assert facts["probabilities"]["sure.flat_lead"] == pytest.approx(np.e / (np.e + 7), abs=5e-4)
    assert facts["probabilities"]["last_once"] < 0.01
    outputs = arrays["prediction"]["outputs"]  # the, cat, sat, on, mat, and
    assert np.sort(outputs[1])[-2:] == pytest.approx([0.5, 0.5], abs=1e-3)
    assert facts["rank"]["bent.own"] == pytest.approx(0.9557, abs=5e-5)
    assert facts["rank"]["crowd.own_large"] == pytest.approx(0.078, abs=5e-4)
    assert facts["rank"]["crowd.beta_large"] == pytest.approx(2680, abs=0.5)
    assert facts["rank"]["crowd.beta_one_hot"] == pytest.approx(np.log(99 * 99), abs=1e-9)


def test_true_values_of_the_one_hot_film():
    film = shipped("onehot_induction")
    arrays = {shot.id: shot.arrays() for shot in film.shots}
    readings = arrays["readings"]
    literal, causal = (readings[f"{how}.layers.pattern_1"] for how in ("literal", "causal"))
    assert (literal[3, 2], causal[3, 2]) == pytest.approx((0.5, 1.0))
    assert causal[4] == pytest.approx([0.2, 0.2, 0.2, 0.2, 0.2, 0])
    assert 100 * arrays["answer"]["shares"][4, :4] == pytest.approx([20, 40, 20, 20])


def test_true_values_of_the_tour():
    """Of ten tokens three are "the" and two "cat"; the kernel of width 32 is 16 at distance 0."""
    film = shipped("tour")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert facts["stacks"]["target_sum"] == 16
    assert (facts["code"]["typed"], facts["code"]["answer"]) == ("jha", "zha")
    assert facts["alphabets"]["found"] == 7
    assert facts["alphabets"]["letters_too_few"] >= 2
    assert facts["line"]["worst_weight"] >= 0.99
    outputs = {shot.id: shot.arrays() for shot in film.shots}["attention"]["outputs"]
    assert outputs[0].max() > 0.999
    assert np.sort(outputs[-1]) == pytest.approx([0.1] * 5 + [0.2, 0.3], abs=1e-3)


def test_true_values_of_the_film_of_one_layer():
    """Heights of 1, 1.5 and 1; the errors of a fading wave are those of CONSTRUCTIONS.md."""
    film = shipped("one_layer")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert facts["wave"]["wide.n_neurons"] == 6
    assert facts["wave"]["wide.error"] == pytest.approx(0.0875)
    assert facts["wave"]["narrow.error"] == pytest.approx(0.00875)
    assert facts["sigmoid"]["gentle.error"] == pytest.approx(0.2426, abs=5e-5)
    assert facts["sigmoid"]["steep.error"] == pytest.approx(0.004852, abs=5e-7)
    assert facts["any_function"]["last_flat_error"] == pytest.approx(0.01225, abs=5e-6)
    assert facts["any_function"]["last_slanted_error"] == pytest.approx(0.000064, abs=5e-7)
    assert facts["block"]["n_changed"] == 1


def test_true_values_of_the_film_of_vectors():
    """Three people, of whom one is nearest, one largest and one closest in direction."""
    film = shipped("vectors")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert (facts["distance"]["nearest_names"], facts["distance"]["far_distance"]) == ("Cleo", 5)
    assert facts["distance"]["detour"] == pytest.approx(5**0.5 + 10**0.5)
    assert (facts["dot"]["highest_names"], facts["dot"]["most_dot"]) == ("Dan", 15)
    assert facts["dot"]["loud_shadow"] == pytest.approx(3 * 5**0.5)
    assert (facts["cosine"]["closest_names"], facts["cosine"]["most_cosine"]) == ("Ben", 1)
    assert facts["keys"]["stolen"] == "“cat” and “dog”"
    assert facts["raters"]["n_winners"] == 3


def test_true_values_of_the_film_of_convolution():
    """Worked by hand in the primer, but for the stroke that moves: by a pixel, half is left."""
    film = shipped("convolution")
    facts = {shot.id: shot.facts for shot in film.shots}
    arrays = {shot.id: shot.arrays() for shot in film.shots}
    walk = [facts["walk"][f"{name}_sum"] for name in ("first", "second", "third")]
    assert walk == [-3, 6, -3]
    assert arrays["classify"]["logits"].tolist() == [24, 0]
    assert arrays["shifted"]["evidence"].tolist() == [0, 12, 24, 12, 0]
    assert facts["shifted"]["n_led"] == 3
    assert (facts["pixels"]["score"], facts["pixels"]["moved_score"]) == (5, 0)
    assert (facts["content"]["text.back"], facts["content"]["other.back"]) == (6, 4)


def test_true_values_of_the_caesar_film():
    film = shipped("caesar")
    facts = {shot.id: shot.facts for shot in film.shots}
    needed = facts["how_much_text"]
    assert (needed["short.found"], needed["short.place"]) == (25, 9)
    assert needed["dot"] == pytest.approx(0.84, abs=0.005)
    assert needed["log_likelihood"] == pytest.approx(0.927, abs=0.005)
    assert needed["commonest"] == pytest.approx(0.248, abs=0.005)
    assert facts["arbitrary_embedding"]["difference"] < 4e-15
    unequal = film.shots[4].arrays()
    assert unequal["unequal.dot_products"] == pytest.approx([0.26, 0.40])
    assert unequal["unequal.squared_errors"] == pytest.approx([0.09, 0.25])
    assert facts["histogram"]["is_read"]
    assert (facts["dot_products"]["found"], facts["dot_products"]["runner_up"]) == (7, 22)
    assert facts["angle"]["rules_differ"]
    assert facts["guesses"]["transformer.settled_after"] == 14
    assert facts["learned"]["correlation"] == pytest.approx(0.957, abs=5e-4)
    assert facts["learned"]["learned_accuracy"] == pytest.approx(0.700, abs=5e-4)
    assert facts["posterior"]["chance"] > 0.99
    assert facts["arbitrary_embedding"]["fewer_agreement"] == pytest.approx(0.75, abs=0.01)
    assert facts["printed"]["n_first_row"] == 52
    assert facts["printed"]["printed_share"] == pytest.approx(0.51, abs=0.005)


def test_true_values_of_the_film_of_attention():
    """Section 5 of the primer at full precision, and how many of its numbers are right."""
    film = shipped("attention")
    facts = {shot.id: shot.facts for shot in film.shots}
    arrays = {shot.id: shot.arrays() for shot in film.shots}
    shares = [0.2961384789, 0.2859865713, 0.4178748498]
    assert arrays["softmax"]["last_weights"] == pytest.approx(shares, abs=1e-6)
    assert facts["temperature"]["first.greedy_share"] == pytest.approx(0.314527, abs=5e-7)
    assert facts["temperature"]["final.greedy_share"] == pytest.approx(0.951747, abs=5e-7)
    assert (facts["printed"]["n_wrong"], facts["printed"]["n_numbers"]) == (45, 95)


def test_true_values_of_the_film_of_the_transformer_block():
    """Two heads of three columns, an MLP of eight; GPT-2's weights, matrix by matrix."""
    film = shipped("transformer_block")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert (facts["lanes"]["n_heads"], facts["lanes"]["d_head"]) == (2, 3)
    assert facts["stack"]["n_in_layer"] == 4 * 6 * 6 + 2 * 6 * 8
    assert (facts["stack"]["gpt_2.in_layers"], facts["stack"]["gpt_2.total"]) == (
        84_934_656,
        124_439_808,
    )
    assert facts["readout"]["next_word.greedy_share"] == pytest.approx(0.419435, abs=5e-7)
    printed = facts["flow"]["printed.n_right"], facts["flow"]["printed.n_numbers"]
    assert printed == (289, 290)


def test_true_values_of_the_film_of_the_cache():
    """16 GiB for 32,768 tokens, the weights of LLaMA 7B, and DeepSeek's 576 numbers a layer."""
    film = shipped("kv_cache")
    facts = {shot.id: shot.facts for shot in film.shots}
    assert (facts["again"]["recomputed"], facts["again"]["cached"]) == (2600, 300)
    assert facts["memory"]["sizes.total_bytes"] == 16 * 2**30
    assert facts["memory"]["parameters.total"] == 6_738_415_616
    assert facts["memory"]["n_beside"] == 3
    assert facts["shared"]["caches.latent.total_bytes"] == 576 * 32 * 32_768 * 2


@pytest.mark.parametrize(
    ("film", "settings"),
    [
        ("induction", ["text=to be or not to"]),
        ("induction", ["text=b a n a n a b"]),
        ("induction", ["text=i a i", "nonsense=a b a"]),
        ("induction", ["text=the cat and the dog and the", "alpha=20", "beta=20"]),
        ("onehot_induction", ["text=!abcab"]),
        ("onehot_induction", ["text=a"]),
        ("onehot_induction", ["text=noon"]),
        ("caesar", ["text=meet me under the old oak tree at midnight", "rotation=3"]),
        ("caesar", ["rotation=0"]),
        ("caesar", ["text=the quick brown fox jumps over the lazy dog", "short_text=hello"]),
        ("caesar", ["text=a bay", "length=4", "learned_length=5", "word=abca", "x=b"]),
        ("transformer_block", ["n_heads=3", "d_ff=4"]),
        ("transformer_block", ["n_heads=1", "d_ff=6"]),
        ("attention", ["text=a a a", "temperature.logits=[1, 1]", 'temperature.words=["a", "b"]']),
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
        ("rope", ["d_head=4", "m=12", "far_n=0", "long=60"]),
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


@pytest.mark.parametrize(
    ("film", "setting", "words"),
    [
        ("induction", "alpha=1", "--set alpha="),
        ("previous_token", "alpha=2", "--set alpha="),
    ],
)
def test_a_film_whose_point_is_gone_says_the_value(film: str, setting: str, words: str):
    (found,) = load_films([film], settings=[setting])
    assert any(words in str(failure) for failure in found.failures)


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

"""Exercises of notebook 08: processed logits, and the q that truncated drafts come from."""

from __future__ import annotations

import numpy as np

from ...logits import process_logits
from ...types import Array, Floats
from ..checking.compare import compare
from ..checking.exercise import Answer, Exercise


def process(logits, temperature, top_p):
    """The law [V]: softmax at the temperature, then top-p, then normalised.

    Top-p goes through the tokens from the likeliest and keeps each before which less than top_p has been gathered. No ties occur;
    logits may be large, and -inf."""
    law = np.exp((logits - logits.max()) / temperature)
    law = law / law.sum()
    order = np.argsort(-law)
    falling = law[order]
    kept = order[np.cumsum(falling) - falling < top_p]
    out = np.zeros_like(law)
    out[kept] = law[kept] / law[kept].sum()
    return out


def _processed(logits: Floats, temperature: float, top_p: float) -> Array:
    return process_logits(logits, temperature=temperature, top_p=top_p)


def _check_process(answer: Answer) -> None:
    cases = [(np.array([0.3]), 1.0, 0.9), (np.array([1.0, 0.0]), 1.0, 1.0), (np.array([1.0, 0.0]), 0.5, 1.0)]
    cases += [(np.array([2.0, 1.0, 0.0]), 1.0, 0.8), (np.array([0.0, 1.0, 2.0]), 1.0, 0.3), (np.array([0.0, 1.0, 2.0]), 2.0, 0.8)]
    cases += [(np.array([0.0, 1000.0, 999.0]), 1.0, 0.8), (np.array([3.0, -np.inf, 2.0, 1.0]), 0.7, 0.9)]
    rng = np.random.default_rng(0)
    cases += [(rng.normal(0, 2, 6).round(2), temperature, 0.83) for temperature in (0.5, 0.7, 1.5, 2.5)]
    compare(answer, "logits temperature top_p", cases, _processed)


def reported_q(q, k):
    """The law [V] that drafts really come from, if the drafter samples from the k likeliest tokens of q only.
    No ties at the cut."""
    top = np.argsort(-q)[:k]
    out = np.zeros_like(q)
    out[top] = q[top] / q[top].sum()
    return out


def _sampled_from(q: Floats, k: int) -> Array:
    with np.errstate(divide="ignore"):
        return process_logits(np.log(q), top_k=k)


def _check_reported(answer: Answer) -> None:
    laws = ([1.0], [0.4, 0.6], [0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.1, 0.2, 0.3, 0.4], [0.05, 0.4, 0.0, 0.35, 0.2])
    compare(answer, "q k", [(np.array(q), k) for q in laws for k in range(1, len(q) + 1)], _sampled_from)


EXERCISES = (
    Exercise(
        id="08a",
        title="temperature, then top-p",
        task="Write process(logits, temperature, top_p): the law that is sampled from.",
        hints=(
            "The order matters: what counts as the top p is decided after the temperature.",
            "Subtract the largest logit before exp. Sort falling; the mass before a token is the running sum minus its own.",
            "order = np.argsort(-law); f = law[order]; keep order[np.cumsum(f) - f < top_p]; divide by their sum.",
        ),
        answer=process,
        check=_check_process,
        checked="Checked on 12 rows, with logits of 1,000 and -inf, and cases where the wrong order keeps other tokens.\n"
        "Not checked: ties, top-k, and temperature 0.",
    ),
    Exercise(
        id="08b",
        title="the q to report",
        task="Write reported_q(q, k): the law to give the verifier if drafts are sampled with top-k.",
        hints=(
            "The verifier needs the law that the draft was sampled from. Which is the probability of a token that is cut off?",
            "Zero. And those that stay must sum to 1 again.",
            "top = np.argsort(-q)[:k]; put q[top] / q[top].sum() into zeros.",
        ),
        answer=reported_q,
        check=_check_reported,
        checked="Checked on six laws of 1 to 5 tokens with every k.\n"
        "Not checked: ties at the cut; then report what your sampler did.",
    ),
)

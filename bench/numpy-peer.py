"""The sampling step with numpy in float32, as a careful author writes it: select before sorting, sort only what is left.

Reads requests `V kind calls r T k p m` and answers `id kept milliseconds...`; see children.mjs.
"""
import sys
from time import perf_counter

import numpy as np

RANDOM = np.random.default_rng(2024)
FILES = {}


def read(folder, vocab_size, kind):
    key = vocab_size, kind
    if key not in FILES:
        logits = np.fromfile(f"{folder}/{vocab_size}.{kind}", np.float32).reshape(-1, vocab_size)
        FILES[key] = logits, np.fromfile(f"{folder}/{vocab_size}.ids", np.int32)
    return FILES[key]


def penalize(logits, ids, r):
    scores = logits.copy()
    seen = scores[ids]
    scores[ids] = np.where(seen > 0, seen / r, seen * r)
    return scores


def softmax(scores):
    exps = np.exp(scores - scores.max())
    return exps / exps.sum()


def nucleus(ids, q, p):
    """The most likely ids with p together: only those above a threshold that leaves enough of them are sorted."""
    threshold = q.max() / 4
    likely = np.flatnonzero(q >= threshold)
    while len(likely) < len(q) and q[likely].sum() < p:
        threshold /= 4
        likely = np.flatnonzero(q >= threshold)
    order = likely[np.argsort(-q[likely], kind="stable")]
    count = np.searchsorted(np.cumsum(q[order]), np.float32(p)) + 1
    kept = order[:count]
    return ids[kept], q[kept] / q[kept].sum()


def draw(ids, q):
    sums = np.cumsum(q)
    place = np.searchsorted(sums, np.float32(RANDOM.random()) * sums[-1], side="right")
    return int(ids[min(place, len(q) - 1)]), len(q)


def step(logits, history, r, temperature, k, p, m):
    scores = penalize(logits, history, np.float32(r)) if r != 1 else logits
    if temperature == 0:
        return int(scores.argmax()), 1
    ids = None
    if k > 0:
        ids = np.argpartition(scores, len(scores) - k)[-k:]
        scores = scores[ids]
    if temperature != 1:
        scores = scores / np.float32(temperature)
    if p == 1 and m > 0:  # a probability ratio is a difference of scores
        kept = np.flatnonzero(scores >= scores.max() + np.float32(np.log(m)))
        ids = kept if ids is None else ids[kept]
        return draw(ids, softmax(scores[kept]))
    q = softmax(scores)
    if ids is None:
        ids = np.arange(len(q)) if p < 1 else range(len(q))
    if p < 1:
        ids, q = nucleus(ids, q, p)
    if m > 0:
        kept = q >= np.float32(m) * q.max()
        ids, q = ids[kept], q[kept]
    return draw(ids, q)


def answer(folder, line):
    vocab_size, kind, calls, r, temperature, k, p, m = line.split()
    logits, ids = read(folder, int(vocab_size), kind)
    params = float(r), float(temperature), int(k), float(p), float(m)
    first = step(logits[0], ids, *params)
    times = []
    for call in range(int(calls)):
        begin = perf_counter()
        step(logits[call % len(logits)], ids, *params)
        times.append((perf_counter() - begin) * 1e3)
    return " ".join(map(str, [*first, *times]))


print(np.__version__, flush=True)
for request in sys.stdin:
    print(answer(sys.argv[1], request), flush=True)

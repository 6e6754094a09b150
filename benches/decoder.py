#!/usr/bin/env python3
"""Tokens of GPT-2 small by the example `decoder` and by PyTorch: the same weights, the same prompt, one run.

    decoder.py PROGRAM [--rows rows.jsonl] [--no-compile]

PROGRAM is `decoder` of `benches/src/bin`. Checks first: the logits of each token that was read, and 64 tokens that were generated. Then
prints microseconds a token at batch 1, behind 128 tokens, with room for 1024: eagerly, as a captured graph, and compiled and captured.
Ends with 1 if a check fails.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

WIDTH, HEADS, LAYERS, WORDS, LENGTH, SCALE = 768, 12, 12, 50257, 1024, 0.07
PROMPT, GENERATED, FROM, MEASURED, ROUNDS = 8, 64, 128, 128, 7
# The largest difference of a logit; they go up to about 3. PyTorch rounds every activation to half precision, the example none.
ALLOWED = {"float16": 2e-2, "float32": 2e-3}
BYTES_PER_SECOND = 4.3e12


def uniform(seed, count):
    """Numbers in -0.5 .. 0.5: the upper 24 bits of SplitMix64, as `examples/src/programs/inputs.rs` has them."""

    def shifted(z, by):
        return (z >> by) & ((1 << (64 - by)) - 1)

    def signed(number):
        return number - (1 << 64) if number >= 1 << 63 else number

    z = (torch.arange(1, count + 1, dtype=torch.int64, device="cuda") + (seed << 32)) * signed(0x9E3779B97F4A7C15)
    z = (z ^ shifted(z, 30)) * signed(0xBF58476D1CE4E5B9)
    z = (z ^ shifted(z, 27)) * signed(0x94D049BB133111EB)
    z = z ^ shifted(z, 31)
    return shifted(z, 40).to(torch.float32) / 16777216.0 - 0.5


class Gpt2:
    """One token at a time, on static buffers."""

    def __init__(self, dtype):
        self.dtype = dtype
        self.words, self.places = self.matrix(100, WORDS, WIDTH), self.matrix(101, LENGTH, WIDTH)
        self.last = self.norm(102)
        self.layers = [self.layer(200 + 100 * index) for index in range(LAYERS)]
        self.token = torch.zeros(1, dtype=torch.long, device="cuda")
        self.position = torch.zeros(1, dtype=torch.long, device="cuda")
        self.all_positions = torch.arange(LENGTH, device="cuda")

    def numbers(self, seed, count, scale, offset=0.0):
        return (uniform(seed, count) * scale + offset).to(torch.float16).to(self.dtype)

    def matrix(self, seed, rows, columns):
        return self.numbers(seed, rows * columns, SCALE).view(rows, columns)

    def linear(self, seed, inputs, outputs):
        return self.matrix(seed, outputs, inputs), self.numbers(seed + 1, outputs, SCALE)

    def norm(self, seed):
        return self.numbers(seed, WIDTH, 0.2, 1.0), self.numbers(seed + 1, WIDTH, 0.2)

    def layer(self, seed):
        # The last matrix has a row for each input.
        down = self.matrix(seed + 10, 4 * WIDTH, WIDTH).t().contiguous(), self.numbers(seed + 11, WIDTH, SCALE)
        cache = [torch.zeros(1, HEADS, LENGTH, WIDTH // HEADS, dtype=self.dtype, device="cuda") for _ in range(2)]
        first, second = self.norm(seed), self.norm(seed + 2)
        qkv, out = self.linear(seed + 4, WIDTH, 3 * WIDTH), self.linear(seed + 6, WIDTH, WIDTH)
        return first, second, qkv, out, self.linear(seed + 8, WIDTH, 4 * WIDTH), down, cache

    def logits(self, token, position):
        x = F.embedding(token, self.words) + F.embedding(position, self.places)
        mask = (self.all_positions <= position).view(1, 1, 1, -1)
        for first, second, qkv, out, up, down, (keys, values) in self.layers:
            q, k, v = F.linear(F.layer_norm(x, (WIDTH,), *first), *qkv).split(WIDTH, dim=1)
            q, k, v = (part.view(1, HEADS, 1, -1) for part in (q, k, v))
            keys.index_copy_(2, position, k.half().to(self.dtype))
            values.index_copy_(2, position, v.half().to(self.dtype))
            mixed = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
            x = x + F.linear(mixed.reshape(1, WIDTH), *out)
            hidden = F.gelu(F.linear(F.layer_norm(x, (WIDTH,), *second), *up), approximate="tanh")
            x = x + F.linear(hidden, *down)
        return F.linear(F.layer_norm(x, (WIDTH,), *self.last), self.words)

    def restart(self, token, position):
        self.token.fill_(token)
        self.position.fill_(position)

    def step(self, logits):
        """Reads the token, and goes on to the best one."""
        found = logits(self.token, self.position)
        self.token.copy_(found.argmax(dim=-1))
        self.position.add_(1).clamp_(max=LENGTH - 1)
        return found


def ours(program, folder):
    done = subprocess.run([program, folder], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program} ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(model, folder, dtype):
    """The logits of each token behind those that were read before, and the greedy tokens."""
    read = PROMPT + GENERATED
    tokens = torch.frombuffer(bytearray((folder / "tokens.u32").read_bytes()), dtype=torch.int32)[:read].tolist()
    found = torch.frombuffer(bytearray((folder / "logits.f32").read_bytes()), dtype=torch.float32).view(read, WORDS).cuda()
    worst, relative, margin, generated, wrong = 0.0, 0.0, float("inf"), [], 0
    token = tokens[0]
    for position in range(read):
        model.restart(token, position)
        expected = model.logits(model.token, model.position)[0].float()
        difference = (found[position] - expected).abs()
        worst = max(worst, difference.max().item())
        relative = max(relative, (difference.max() / expected.abs().max()).item())
        top = torch.topk(expected, 2).values
        if PROMPT <= position + 1 < read:
            margin = min(margin, (top[0] - top[1]).item())
            generated.append(int(expected.argmax()))
            wrong += generated[-1] != tokens[position + 1]
        token = tokens[position + 1] if position + 1 < PROMPT else generated[-1]
    ok = wrong == 0 and worst <= ALLOWED[dtype]
    return {"program": "decoder", "how": "checked against PyTorch", "dtype": dtype, "logits_worst": worst, "logits_relative": relative,
            "tokens_equal": f"{GENERATED - wrong} of {GENERATED}", "distinct": len(set(generated)), "least_margin": margin, "ok": ok}


def captured(step):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="thread_local"):
        step()
    return graph


def timed(model, step, token):
    times = []
    for _ in range(ROUNDS):
        model.restart(token, FROM)
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(MEASURED):
            step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e6 / MEASURED)
    return statistics.median(times)


def torch_rows(arguments, folder):
    model = Gpt2(torch.float16)
    yield compare(model, folder, "float16")
    eager = lambda: model.step(model.logits)
    graph = captured(eager)
    rows = {"PyTorch, eager": eager, "PyTorch, captured graph": graph.replay}
    if not arguments.no_compile:
        compiled = torch.compile(model.logits, dynamic=False)
        step = lambda: model.step(compiled)
        for _ in range(3):
            step()
        rows["PyTorch, compiled and captured"] = captured(step).replay
    for how, step in rows.items():
        yield {"program": "decoder", "how": how, "token": round(timed(model, step, 1), 2), "torch": torch.__version__, "ok": True}


@torch.inference_mode()
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rows")
    parser.add_argument("--no-compile", action="store_true")
    arguments = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    with tempfile.TemporaryDirectory() as folder:
        rows = ours(arguments.program, folder)
        weight_bytes = rows[0]["weight_bytes"]
        rows.append(compare(Gpt2(torch.float32), pathlib.Path(folder), "float32"))
        rows.extend(torch_rows(arguments, pathlib.Path(folder)))
        rows.extend(ours(arguments.program, folder))
    floor = weight_bytes / BYTES_PER_SECOND * 1e6
    for row in rows:
        if "token" in row:
            row.update(floor=round(floor, 2), over_floor=round(row["token"] / floor, 2))
        print(json.dumps(row))
    if arguments.rows:
        with open(arguments.rows, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    sys.exit(0 if all(row["ok"] for row in rows) else 1)


if __name__ == "__main__":
    main()

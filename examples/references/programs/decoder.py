"""The tokens and the last logits of a small GPT-2, decoded greedily by PyTorch in double precision.

Usage: python decoder.py (writes decoder.json)
"""

import numpy as np
import torch
import torch.nn.functional as F

from inputs import uniform, write

WIDTH, HEADS, LAYERS, VOCABULARY, LENGTH, SCALE = 128, 2, 2, 200, 32, 0.2
PROMPT = [5, 70, 11]


def weights(seed, rows, columns, scale=SCALE, offset=0.0):
    """Half-precision weights, as the program has them."""
    values = (uniform(seed, rows * columns) * np.float32(scale) + np.float32(offset)).astype(np.float16)
    return torch.from_numpy(values.astype(np.float64)).reshape(rows, columns)


def linear(seed, inputs, outputs):
    return weights(seed, outputs, inputs), weights(seed + 1, 1, outputs)[0]


def norm(seed):
    return weights(seed, 1, WIDTH, 0.2, 1.0)[0], weights(seed + 1, 1, WIDTH, 0.2)[0]


class Layer:
    def __init__(self, seed):
        self.first, self.second = norm(seed), norm(seed + 2)
        self.qkv, self.out = linear(seed + 4, WIDTH, 3 * WIDTH), linear(seed + 6, WIDTH, WIDTH)
        self.up = linear(seed + 8, WIDTH, 4 * WIDTH)
        # This matrix has a row for each input.
        self.down = weights(seed + 10, 4 * WIDTH, WIDTH).t(), weights(seed + 11, 1, WIDTH)[0]

    def __call__(self, x):
        count = x.shape[0]
        q, k, v = F.linear(F.layer_norm(x, (WIDTH,), *self.first), *self.qkv).split(WIDTH, dim=-1)
        # Keys and values are kept in half precision.
        k, v = k.half().double(), v.half().double()
        q, k, v = (part.view(count, HEADS, -1).transpose(0, 1) for part in (q, k, v))
        h = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(0, 1).reshape(count, WIDTH)
        x = x + F.linear(h, *self.out)
        h = F.gelu(F.linear(F.layer_norm(x, (WIDTH,), *self.second), *self.up), approximate="tanh")
        return x + F.linear(h, *self.down)


def main():
    embedding, positions = weights(100, VOCABULARY, WIDTH), weights(101, LENGTH, WIDTH)
    final = norm(102)
    layers = [Layer(200 + 100 * layer) for layer in range(LAYERS)]
    tokens = list(PROMPT)
    while len(tokens) < LENGTH:
        x = embedding[tokens] + positions[: len(tokens)]
        for layer in layers:
            x = layer(x)
        logits = F.layer_norm(x[-1], (WIDTH,), *final) @ embedding.T
        top = torch.topk(logits, 2)
        assert top.values[0] - top.values[1] > 3e-3, "a tie: choose other weights"
        tokens.append(int(top.indices[0]))
    write("decoder", tokens=tokens, logits=logits.numpy())


if __name__ == "__main__":
    main()

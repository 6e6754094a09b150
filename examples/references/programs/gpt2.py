"""The tokens and the last logits of a small GPT-2, decoded greedily by PyTorch in double precision.

Usage: python gpt2.py (writes gpt2.json)
"""

import numpy as np
import torch
import torch.nn.functional as F

from inputs import uniform, write

WIDTH, HEADS, LAYERS, VOCABULARY, LENGTH, START = 64, 4, 2, 128, 32, 5


def weights(seed, rows, columns, scale):
    """Half-precision weights, as the program has them."""
    values = (uniform(seed, rows * columns) * np.float32(scale)).astype(np.float16)
    return torch.from_numpy(values.astype(np.float64)).reshape(rows, columns)


def linear(seed, inputs, outputs):
    return weights(seed, outputs, inputs, 0.6), weights(seed + 1, 1, outputs, 0.2)[0]


def norm(seed):
    return 1.0 + weights(seed, 1, WIDTH, 0.2)[0], weights(seed + 1, 1, WIDTH, 0.2)[0]


class Layer:
    def __init__(self, seed):
        self.first, self.second = norm(seed), norm(seed + 2)
        self.qkv = linear(seed + 4, WIDTH, 3 * WIDTH)
        self.projection = linear(seed + 6, WIDTH, WIDTH)
        self.up = linear(seed + 8, WIDTH, 4 * WIDTH)
        self.down = linear(seed + 10, 4 * WIDTH, WIDTH)

    def __call__(self, x):
        count = x.shape[0]
        q, k, v = F.linear(F.layer_norm(x, (WIDTH,), *self.first), *self.qkv).split(WIDTH, dim=-1)
        q, k, v = (part.view(count, HEADS, -1).transpose(0, 1) for part in (q, k, v))
        h = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(0, 1).reshape(count, WIDTH)
        x = x + F.linear(h, *self.projection)
        h = F.gelu(F.linear(F.layer_norm(x, (WIDTH,), *self.second), *self.up), approximate="tanh")
        return x + F.linear(h, *self.down)


def main():
    embedding = weights(100, VOCABULARY, WIDTH, 2.0)
    positions = weights(101, LENGTH, WIDTH, 1.0)
    final = norm(102)
    layers = [Layer(200 + 100 * layer) for layer in range(LAYERS)]
    tokens = [START]
    while len(tokens) < LENGTH:
        x = embedding[tokens] + positions[: len(tokens)]
        for layer in layers:
            x = layer(x)
        logits = F.layer_norm(x[-1], (WIDTH,), *final) @ embedding.T
        top = torch.topk(logits, 2)
        assert top.values[0] - top.values[1] > 1e-3, "a tie: choose other weights"
        tokens.append(int(top.indices[0]))
    write("gpt2", tokens=tokens, logits=logits.numpy())


if __name__ == "__main__":
    main()

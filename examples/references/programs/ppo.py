"""A PPO update by PyTorch: two layers, a policy and a value head, clipped loss, Adam, an early stop by the KL divergence.

Usage: python ppo.py (writes ppo.json)
"""

import numpy as np
import torch

from inputs import uniform, write

SAMPLES, INPUTS, HIDDEN, ACTIONS, EPOCHS, MINIBATCH = 64, 4, 16, 3, 4, 16
CLIP, RATE, VALUE_WEIGHT, LARGEST_NORM = 0.2, 3e-3, 0.5, 0.5


def numbers(seed, *shape):
    return torch.from_numpy(uniform(seed, int(np.prod(shape))).astype(np.float64)).reshape(shape)


def update(kl_max):
    parameters = [numbers(1000, HIDDEN, INPUTS), numbers(1001, HIDDEN) * 0.1, numbers(1002, ACTIONS, HIDDEN), numbers(1003, ACTIONS) * 0.1, numbers(1004, 1, HIDDEN), numbers(1005, 1) * 0.1]
    for parameter in parameters:
        parameter.requires_grad_()
    w1, b1, w2, b2, w3, b3 = parameters
    states, advantages, returns = numbers(1010, SAMPLES, INPUTS) * 4, numbers(1011, SAMPLES) * 4, numbers(1012, SAMPLES) * 2
    actions = ((numbers(1013, SAMPLES) + 0.5) * ACTIONS).long().clamp(max=ACTIONS - 1)

    def forward(x):
        h = torch.tanh(x @ w1.T + b1)
        return torch.log_softmax(h @ w2.T + b2, dim=-1), (h @ w3.T + b3)[:, 0]

    with torch.no_grad():
        old = forward(states)[0].gather(1, actions[:, None])[:, 0] + numbers(1014, SAMPLES) * 0.1
    adam = torch.optim.Adam(parameters, lr=RATE, eps=1e-8)
    steps, kl = 0, 0.0
    for epoch in range(EPOCHS):
        if kl > kl_max:
            break
        # Each epoch visits the samples in an order of its own: a rotation.
        order = (torch.arange(SAMPLES) * 5 + 7 * epoch) % SAMPLES
        for at in range(0, SAMPLES, MINIBATCH):
            index = order[at : at + MINIBATCH]
            logs, values = forward(states[index])
            change = logs.gather(1, actions[index][:, None])[:, 0] - old[index]
            ratio = change.exp()
            surrogate = torch.minimum(ratio * advantages[index], ratio.clamp(1 - CLIP, 1 + CLIP) * advantages[index])
            loss = -surrogate.mean() + VALUE_WEIGHT * ((values - returns[index]) ** 2).mean()
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, LARGEST_NORM)
            adam.step()
            steps += 1
            kl = float((ratio - 1 - change).mean().detach())
    return steps, kl, torch.cat([parameter.detach().ravel() for parameter in parameters]).numpy()


def main():
    all_steps, all_kl, all_parameters = update(1e9)
    some_steps, some_kl, some_parameters = update(1e-3)
    assert some_steps < all_steps, "the early stop does not stop: choose another bound"
    write("ppo", steps=[all_steps, some_steps], kl=[all_kl, some_kl], whole=all_parameters, stopped=some_parameters)


if __name__ == "__main__":
    main()

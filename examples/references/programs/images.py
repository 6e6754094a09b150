"""Crops of images, resized by PyTorch and normalised.

Usage: python images.py (writes images.json)
"""

import numpy as np
import torch
import torch.nn.functional as F

from inputs import uniform, write

SIDE = 24
# Width, height; x, y, width, height of the crop; brightness.
BATCHES = {
    "first": [(64, 48, 3, 5, 40, 32, 1.1), (33, 57, 0, 0, 33, 57, 0.9), (40, 40, 8, 8, 24, 24, 1.0), (90, 31, 10, 1, 60, 28, 1.3)],
    "second": [(50, 70, 1, 2, 45, 60, 0.8), (64, 64, 16, 16, 32, 32, 1.2), (25, 25, 0, 0, 25, 25, 1.0), (31, 90, 4, 40, 20, 45, 0.7)],
}
MEAN, DEVIATION = 0.45, 0.22


def pixels(seed, width, height):
    """Planes of red, green, blue; the values 0 to 255."""
    return np.minimum(((uniform(seed, 3 * width * height) + 0.5) * 256).astype(int), 255).reshape(3, height, width)


def process(seed, image):
    width, height, x, y, crop_width, crop_height, brightness = image
    crop = pixels(seed, width, height)[:, y : y + crop_height, x : x + crop_width].astype(np.float64)
    small = F.interpolate(torch.from_numpy(crop)[None], size=(SIDE, SIDE), mode="bilinear", align_corners=False)[0].numpy()
    return (np.minimum(small * brightness, 255.0) / 255.0 - MEAN) / DEVIATION


def main():
    lists = {}
    for number, (name, images) in enumerate(BATCHES.items()):
        lists[name] = np.stack([process(800 + 10 * number + index, image) for index, image in enumerate(images)]).reshape(-1)[::17]
    write("images", **lists)


if __name__ == "__main__":
    main()

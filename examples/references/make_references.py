"""Makes the pictures and the table in this folder with OpenCV.

The versions that made the committed files (any OpenCV 4 or 5 should give the same bits):

    python3 -m venv venv
    venv/bin/pip install numpy==2.4.6 opencv-python-headless==5.0.0.93 scikit-image==0.26.0
    venv/bin/python make_references.py

For each picture NAME:
    NAME.png                  the input, gray (coffee: RGB; photo: ../data/camera.png)
    NAME.gray.png             coffee only: cv2.cvtColor(…, COLOR_RGB2GRAY)
    NAME.blur.png             cv2.GaussianBlur(gray, (5, 5), 0)
    NAME.edges-LOW-HIGH.png   cv2.Canny(blur, LOW, HIGH, apertureSize=3, L2gradient=False)
and a line per picture and thresholds in cases.tsv. Its last column, the passes of the loop on tiles, is not OpenCV's: `passes`
below counts them with NumPy, from the gradients that cv2.Sobel computes.

The synthetic pictures depend on integers only:
    noise    pixel k in row order is the top byte of x(k + 1), where x(0) = 2026 and x(k + 1) = (1664525 x(k) + 1013904223) mod 2^32
    snake    a line three pixels wide that runs through the whole picture in turns eight rows apart: 130 on 100, fading from 230 to
             130 over its first 50 columns, so that one faint edge hangs together with a strong end over the whole picture
    step     3 x 5, rows of 0, 0, 90, 180, 255
    dot      1 x 1, 77
    column   1 x 40, 25 k mod 256 in row k
"""

import pathlib

import cv2
import numpy as np
import skimage.data

FOLDER = pathlib.Path(__file__).parent
THRESHOLDS = [(50, 100), (20, 180)]
TILE = 32


def noise(width, height):
    values, x = [], 2026
    for _ in range(width * height):
        x = (1664525 * x + 1013904223) % 2**32
        values.append(x >> 24)
    return np.array(values, np.uint8).reshape(height, width)


def snake(width, height):
    picture = np.full((height, width), 100, np.uint8)
    turns = range(4, height - 4, 8)
    for turn, y in enumerate(turns):
        picture[y - 1 : y + 2, 4 : width - 4] = 130
        x = width - 6 if turn % 2 == 0 else 5
        if turn + 1 < len(turns):
            picture[y : y + 8, x - 1 : x + 2] = 130
    fade = np.arange(230, 130, -2)
    picture[3:6, 4 : 4 + len(fade)] = fade
    return picture


def pictures():
    camera = cv2.imread(str(FOLDER / "../data/camera.png"), cv2.IMREAD_UNCHANGED)
    column = (25 * np.arange(40) % 256).astype(np.uint8).reshape(40, 1)
    step = np.repeat(np.array([0, 0, 90, 180, 255], np.uint8)[:, None], 3, axis=1)
    return {
        "photo": camera,
        "camera": camera[60:311, 120:453],
        "camera-small": camera[90:179, 190:317],
        "noise": noise(65, 33),
        "snake": snake(131, 97),
        "column": column,
        "step": step,
        "dot": np.array([[77]], np.uint8),
        "coffee": skimage.data.coffee()[60:181, 210:377],
    }


def marks(blur, low, high):
    """0, 1 (weak) or 2 (strong) per pixel: a pixel survives if no threshold removes it, so thresholds of 0 keep every maximum."""
    maxima = cv2.Canny(blur, 0, 0, apertureSize=3, L2gradient=False) > 0
    gradient = [cv2.Sobel(blur, cv2.CV_16S, dx, 1 - dx, ksize=3, borderType=cv2.BORDER_REPLICATE) for dx in (1, 0)]
    magnitude = np.where(maxima, np.abs(gradient[0].astype(int)) + np.abs(gradient[1].astype(int)), 0)
    return (magnitude > low).astype(np.uint8) + (magnitude > high)


def one_pass(before):
    """Grows strong marks within each tile until nothing changes; around the tile, marks are those from before."""
    after = before.copy()
    for top in range(0, before.shape[0], TILE):
        for left in range(0, before.shape[1], TILE):
            window = np.pad(before, 1)[top : top + TILE + 2, left : left + TILE + 2].copy()
            inner = window[1:-1, 1:-1]
            inner = inner[:TILE, :TILE]
            while True:
                near = cv2.dilate((window == 2).astype(np.uint8), np.ones((3, 3), np.uint8))[1:-1, 1:-1]
                grown = (inner == 1) & (near == 1)
                if not grown.any():
                    break
                inner[grown] = 2
            after[top : top + TILE, left : left + TILE] = inner
    return after


def passes(blur, low, high, edges):
    """Pairs of passes until the second of one changes nothing; none if nothing is strong."""
    current, count = marks(blur, low, high), 0
    changed = (current == 2).any()
    while changed:
        between = one_pass(current)
        current = one_pass(between)
        changed = (current != between).any()
        count += 2
    assert ((current == 2) == (edges == 255)).all()
    return count


def write(name, picture):
    colour = picture[..., ::-1] if picture.ndim == 3 else picture
    assert cv2.imwrite(str(FOLDER / f"{name}.png"), colour, [cv2.IMWRITE_PNG_COMPRESSION, 9])


def main():
    lines = ["# picture\twidth\theight\tlow\thigh\tpasses"]
    for name, picture in pictures().items():
        picture = np.ascontiguousarray(picture)
        if name != "photo":
            write(name, picture)
        gray = picture
        if picture.ndim == 3:
            gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
            write(f"{name}.gray", gray)
        blur = cv2.GaussianBlur(gray, (5, 5), 0)
        write(f"{name}.blur", blur)
        for low, high in THRESHOLDS:
            edges = cv2.Canny(blur, low, high, apertureSize=3, L2gradient=False)
            write(f"{name}.edges-{low}-{high}", edges)
            height, width = gray.shape
            lines.append(f"{name}\t{width}\t{height}\t{low}\t{high}\t{passes(blur, low, high, edges)}")
    (FOLDER / "cases.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

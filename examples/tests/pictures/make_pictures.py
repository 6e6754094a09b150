"""Makes the small files in this folder, which the image crate cannot write. Made with pillow==13.0.0."""

import pathlib
import struct
import zlib

from PIL import Image

FOLDER = pathlib.Path(__file__).parent


def png(width, height, rows):
    """A gray PNG of 8 bits, whatever its size says."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def palette(**options):
    """A red and a blue pixel."""
    picture = Image.new("P", (2, 1))
    picture.putpalette([255, 0, 0, 0, 0, 255])
    picture.putpixel((1, 0), 1)
    return picture, options


def main():
    for name, options in {"palette": {}, "palette-clear": {"transparency": b"\xff\x00"}}.items():
        picture, options = palette(**options)
        picture.save(FOLDER / f"{name}.png", **options)

    bits = Image.new("1", (3, 1))
    bits.putpixel((1, 0), 1)
    bits.save(FOLDER / "bits.png")

    Image.new("CMYK", (16, 16), (0, 255, 255, 0)).save(FOLDER / "cmyk.jpg", quality=100)

    turned = Image.new("L", (32, 16), 0)
    turned.paste(255, (16, 0, 32, 16))
    exif = Image.Exif()
    exif[0x0112] = 6
    turned.save(FOLDER / "turned.jpg", quality=100, exif=exif)

    (FOLDER / "no-columns.png").write_bytes(png(0, 5, bytes(5)))
    (FOLDER / "no-rows.png").write_bytes(png(5, 0, b""))
    (FOLDER / "huge.png").write_bytes(png(65_536, 65_536, b""))
    (FOLDER / "long.png").write_bytes(png(70_000, 1, bytes(70_001)))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Packs outlines of DejaVu Sans as the crate reads them: pack.py DejaVuSans.ttf glyphs.bin

Needs fonttools. All numbers are little-endian:
  "KGL1", u16 units per em, u16 number of glyphs,
  for each glyph, by code point: u32 code point, u16 advance, u32 start of its outline,
  the outlines: u8 number of contours; each is a u16 number of points, then for each point
  i16 2x + 1 on the curve or 2x off it, i16 y. Curves are quadratic, as in TrueType.
The glyph of code point 0 stands for all that are missing.
"""
import struct
import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

RANGES = [
    (0x20, 0x7E), (0xA0, 0x17F),  # Latin
    (0x391, 0x3A1), (0x3A3, 0x3A9), (0x3B1, 0x3C9), (0x3D1, 0x3D1), (0x3D5, 0x3D5),  # Greek
    (0x410, 0x44F), (0x401, 0x401), (0x451, 0x451),  # Cyrillic
    (0x1E0A, 0x1E0B), (0x1E40, 0x1E41), (0x1E8A, 0x1E8F),  # letters with dots
    (0x2010, 0x2015), (0x2018, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026), (0x2030, 0x2030),
    (0x2032, 0x2033), (0x2070, 0x2071), (0x2074, 0x208E), (0x2090, 0x209C), (0x20AC, 0x20AC),
    (0x2190, 0x2194), (0x21D2, 0x21D2), (0x2200, 0x220B), (0x220F, 0x2213), (0x2215, 0x221A),
    (0x221D, 0x2220), (0x2225, 0x222B), (0x2234, 0x2234), (0x2248, 0x2248), (0x2260, 0x2265),
    (0x22A5, 0x22A5), (0x22C5, 0x22C5), (0x2308, 0x230B), (0x25A0, 0x25A0), (0x25CF, 0x25CF),
]


def contours(glyphs, name):
    recording = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(recording)
    pen = TTGlyphPen(None)
    recording.replay(pen)
    glyph = pen.glyph()
    if glyph.numberOfContours <= 0:
        return []
    points, ends, flags = glyph.getCoordinates(None)
    result, start = [], 0
    for end in ends:
        result.append([(*points[i], flags[i] & 1) for i in range(start, end + 1)])
        start = end + 1
    return result


def main(source, target):
    font = TTFont(source)
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    chosen = {0: ".notdef"}
    for first, last in RANGES:
        chosen.update({c: names[c] for c in range(first, last + 1) if c in names})
    table, outlines = b"", b""
    for code, name in sorted(chosen.items()):
        table += struct.pack("<IHI", code, font["hmtx"][name][0], len(outlines))
        shape = contours(glyphs, name)
        outlines += struct.pack("<B", len(shape))
        for contour in shape:
            outlines += struct.pack("<H", len(contour))
            for x, y, on in contour:
                outlines += struct.pack("<hh", 2 * round(x) + on, round(y))
    head = b"KGL1" + struct.pack("<HH", font["head"].unitsPerEm, len(chosen))
    with open(target, "wb") as file:
        file.write(head + table + outlines)


main(*sys.argv[1:3])

"""Draws the screen of a scenario as an SVG image, for the README.

    python3 Tests/Terminal/capture.py OUT.svg COLUMNSxLINES ARGUMENT …

Runs `.build/debug/demo ARGUMENT …` (or $DEMO) in a pseudo-terminal of that size and draws its last frame. The arguments
should make it end by itself. The README's picture:

    python3 Tests/Terminal/capture.py Sources/Rowcast/Rowcast.docc/Resources/screen.svg 120x30 \\
      feed --seed 7 --max-updates 112
"""

import re
import sys
from xml.sax.saxutils import escape

from pseudo_terminal import LEAVE, Terminal, VirtualScreen

CELL, LINE, FONT, MARGIN = 8.4, 19, 14, 16
BACKGROUND, INK = "#16191d", "#d9dde3"
# How the parameters of a style look: the colours of one quiet dark palette.
LOOKS = {
    "1": f"fill:#fff;font-weight:600", "2": "fill:#858d98", "32": "fill:#7fcf97", "33": "fill:#e3bd70",
    "36": "fill:#74c3d6", "35": "fill:#c79be0", "34": "fill:#7fa8ef", "2;31": "fill:#b5736c", "1;31": "fill:#ff8379;font-weight:600",
    "7": f"fill:{BACKGROUND}",
}


class StyledScreen(VirtualScreen):
    """What a terminal shows, with the style of each cell."""

    def __init__(self, lines, columns):
        super().__init__(lines, columns)
        self.styles, self.style = {}, ""

    def show(self, text):
        for part in re.split(r"(\x1b\[[\d;]*m)", text):
            if part.endswith("m") and part.startswith("\x1b["):
                self.style = part[2:-1].removeprefix("0")
            else:
                super().show(part)
        return self

    def put(self, text):
        for character in text:
            self.styles[self.row, self.column] = self.style
            super().put(character)

    def runs(self, row):
        """The stretches of one style on a line: where each begins, how many columns it has, its text and style."""
        runs = []
        for column in range(self.columns):
            text = self.cells.get((row, column), " ")
            style = self.styles.get((row, column), "") if (row, column) in self.cells else ""
            # What a wide character covers belongs to it.
            if runs and (text == "" or runs[-1][3] == style):
                runs[-1][1] += 1
                runs[-1][2] += text
            else:
                runs.append([column, 1, text, style])
        return runs


def svg(screen):
    width, height = screen.columns * CELL + 2 * MARGIN, screen.lines * LINE + 2 * MARGIN
    parts = []
    for row in range(screen.lines):
        top = MARGIN + row * LINE
        for column, columns, text, style in screen.runs(row):
            left, extent = MARGIN + column * CELL, columns * CELL
            if style == "7":
                parts.append(f'<rect x="{left:.1f}" y="{top}" width="{extent:.1f}" height="{LINE}" fill="{INK}"/>')
            # A run is as wide as its cells, whatever the font.
            for word in re.finditer(r"\S+(?: \S+)*", text):
                start = sum(VirtualScreen.usual_width(one) for one in text[: word.start()])
                cells = sum(VirtualScreen.usual_width(one) for one in word.group())
                look = f' style="{LOOKS[style]}"' if style else ""
                parts.append(
                    f'<text x="{left + start * CELL:.1f}" y="{top + FONT}" textLength="{cells * CELL:.1f}"{look}>'
                    f"{escape(word.group())}</text>")
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img">',
        f'<rect width="100%" height="100%" rx="10" fill="{BACKGROUND}"/>',
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" '
        f'font-size="{FONT}" fill="{INK}" style="white-space:pre" lengthAdjust="spacingAndGlyphs">',
        *parts, "</g>", "</svg>", ""])


def capture(size, arguments):
    """The last frame that a run of the demo draws."""
    columns, lines = (int(number) for number in size.split("x"))
    terminal = Terminal(*arguments, size=(lines, columns))
    code = terminal.wait(seconds=120)
    if code != 0:
        sys.exit(f"the demo ended with {code}: {terminal.text[-500:]!r}")
    return StyledScreen(lines, columns).show(terminal.text.partition(LEAVE)[0])


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    image = svg(capture(sys.argv[2], sys.argv[3:]))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(image)

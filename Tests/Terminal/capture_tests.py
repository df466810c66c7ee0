"""The picture of a screen that the README shows."""

import unittest
import xml.etree.ElementTree

from capture import StyledScreen, capture, svg


class CaptureTests(unittest.TestCase):
    def texts(self, screen):
        """The texts of a picture: column, line, columns, text and style."""
        image = xml.etree.ElementTree.fromstring(svg(screen))
        return [
            (round((float(text.get("x")) - 16) / 8.4), (int(text.get("y")) - 30) // 19,
             round(float(text.get("textLength")) / 8.4), text.text, text.get("style"))
            for text in image.iter("{http://www.w3.org/2000/svg}text")
        ]

    def test_text_stands_in_its_cells_and_has_its_style(self):
        screen = StyledScreen(3, 40).show(
            "\x1b[?2026h\x1b[2J\x1b[1;1H\x1b[K\x1b[1mbold\x1b[0m plain <&>\x1b[2;5H\x1b[K流れ\x1b[2;31mred  two\x1b[0m\x1b[?2026l")
        self.assertEqual([text[:4] for text in self.texts(screen)], [
            (0, 0, 4, "bold"), (5, 0, 9, "plain <&>"), (4, 1, 4, "流れ"), (8, 1, 3, "red"), (13, 1, 3, "two")])
        styles = [text[4] for text in self.texts(screen)]
        self.assertTrue(styles[0] and styles[3] and styles[3] == styles[4] and styles[0] != styles[3])
        self.assertEqual([styles[1], styles[2]], [None, None])

    def test_what_was_drawn_over_is_gone(self):
        screen = StyledScreen(2, 20).show("\x1b[1;1H\x1b[K\x1b[32mformer text\x1b[0m\x1b[1;1H\x1b[Knew")
        self.assertEqual(self.texts(screen), [(0, 0, 3, "new", None)])

    def test_a_run_of_the_demo_becomes_a_picture(self):
        screen = capture("80x24", ["feed", "--seed", "7", "--lockstep", "--speed", "20", "--max-updates", "30"])
        texts = [text[3] for text in self.texts(screen)]
        self.assertIn("rowcast feed", texts)
        self.assertIn("Messages", texts)


if __name__ == "__main__":
    unittest.main()

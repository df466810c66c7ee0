"""Scenarios with cells of their own: several lines, capabilities, results that come late."""

import json
import os
import tempfile
import unittest

from pseudo_terminal import Terminal, TerminalTestCase


class TableTests(TerminalTestCase):
    def test_settings_are_changed_with_the_keys(self):
        terminal = Terminal("settings")
        terminal.see_on_screen("Wi-Fi")
        terminal.see_on_screen("[on ]")
        terminal.type("j\r")
        terminal.read_until(lambda _: "[on ]" not in terminal.screen)
        terminal.type("\r")
        terminal.see_on_screen("[on ]")
        terminal.type("jjjj\r")
        terminal.see_on_screen("light ›")
        self.assertEqual(terminal.quit(), 0)
        self.assert_restored(terminal)

    def test_a_chat_shows_its_newest_messages_and_loads_what_was_said_before(self):
        terminal = Terminal("chat", "--speed", "20")
        terminal.see_on_screen("▒▓█")
        # The first screen has room for the newest two pages; the conversation adds to them.
        terminal.see_on_screen("32 rows")
        # With keys the history comes when one gets there.
        while "48 rows" not in terminal.screen:
            terminal.type("b" * 5)
            terminal.read_while_quiet_for(0.2)
        self.assertEqual(terminal.quit(), 0)

    def test_a_profile_follows_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "profile.json")

            def write(**fields):
                with open(path + ".part", "w", encoding="utf-8") as file:
                    json.dump({"data": fields}, file)
                os.rename(path + ".part", path)

            write(nombre="Pablo")
            terminal = Terminal("profile", path)
            terminal.see_on_screen("Pablo")
            write(nombre="Paula", imgURL="a.png")
            terminal.see_on_screen("Paula")
            terminal.see_on_screen("◕‿◕")
            with open(path, "w", encoding="utf-8") as file:
                file.write("{")
            write(nombre="Petra")
            terminal.see_on_screen("Petra")
            terminal.read_until(lambda _: "◕‿◕" not in terminal.screen)
            self.assertEqual(terminal.quit(), 0)


if __name__ == "__main__":
    unittest.main()

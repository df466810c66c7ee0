"""Many updates: all are applied, few frames are drawn, and memory stays flat.

Ten seconds of 10,000 events a second with `ROWCAST_LONG=1`; else two, of which only what can be counted is checked.
"""

import os
import re
import select
import time
import unittest

from pseudo_terminal import Terminal, TerminalTestCase

PAGE = os.sysconf("SC_PAGE_SIZE")


class LoadTests(TerminalTestCase):
    IS_LONG = os.environ.get("ROWCAST_LONG") == "1"
    RATE, SECONDS, ROWS = 10_000, 10 if IS_LONG else 2, 500

    def event(self, number):
        row = number * 7919 % self.ROWS
        if number % 10 == 9:
            return f'{{"op":"move","id":{row},"index":{number % 40}}}\n'
        return f'{{"op":"upsert","id":{row},"title":"row {row}","subtitle":"event {number}"}}\n'

    def write(self, terminal):
        """Writes the events at their rate, in hundredths of a second, and takes what is drawn meanwhile.

        The rate is what is tried, so this waits for real time to pass: by reading the terminal, as nothing is drawn on a
        terminal that nobody reads. Returns how many megabytes of memory the program had after each write.
        """
        whole = ",".join(f'{{"id":{row}}}' for row in range(self.ROWS))
        self.send(terminal, f'{{"op":"replace","sections":[{{"id":"s","rows":[{whole}]}}]}}\n'.encode())
        memory = []
        start = time.monotonic()
        step = self.RATE // 100
        for tick in range(self.SECONDS * 100):
            while terminal.read(start + tick / 100 - time.monotonic()):
                pass
            self.send(terminal, "".join(self.event(tick * step + n) for n in range(step)).encode())
            with open(f"/proc/{terminal.pid}/statm") as file:
                memory.append(int(file.read().split()[1]) * PAGE / 1e6)
        terminal.end_input()
        return memory

    def send(self, terminal, data):
        """Writes into the pipe. While that is full, the program may be waiting for its terminal to be read."""
        while data:
            readable, writable, _ = select.select([terminal.master], [terminal.writer], [], 20)
            self.assertTrue(readable or writable, "the program takes no more events")
            if readable:
                terminal.read(0)
            if writable:
                data = data[os.write(terminal.writer, data[: select.PIPE_BUF]) :]

    def test_ten_thousand_updates_a_second(self):
        terminal = Terminal("stdin", data=True)
        terminal.see_on_screen("(empty list)")
        start = time.monotonic()
        memory = self.write(terminal)
        self.assertEqual(terminal.wait(120), 0)
        seconds = time.monotonic() - start
        events = self.RATE * self.SECONDS
        frames = len(terminal.frames)
        self.assertLessEqual(frames, 30 * seconds + 2)
        self.assertIn(f"{events + 1} events, 0 refused", terminal.text)
        self.assertIn(f"{self.ROWS} rows", terminal.text[terminal.text.rfind("= end:") :])
        last = {number * 7919 % self.ROWS: number for number in range(events - 5 * self.ROWS, events) if number % 10 != 9}
        shown = re.findall(r"row (\d+)  event (\d+)", terminal.text[terminal.text.rfind("[?1049l") :])
        self.assertGreater(len(shown), 5)
        for row, event in shown:
            self.assertEqual(last[int(row)], int(event), "the newest of each row is what is left")
        half = len(memory) // 2
        growth = max(memory[half:]) - max(memory[:half])
        cpu = terminal.usage.ru_utime + terminal.usage.ru_stime
        print(
            f"\n{events} events in {seconds:.1f} s: {frames} frames, {len(terminal.output) // 1024} KiB written, "
            f"CPU {cpu:.1f} s, memory {max(memory):.0f} MB at most, {growth:+.1f} MB in the second half"
        )
        self.assertLess(growth, 20)
        if self.IS_LONG:
            self.assertLess(cpu, seconds)


if __name__ == "__main__":
    unittest.main()

"""An app as a job of a shell: stopped, resumed, in the background and in the foreground, in any order. In the background it is
stopped and draws nothing; in the foreground its keys work."""

import glob
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from pseudo_terminal import DEMO, Terminal, TerminalTestCase

BASH = "exec env PS1='$ ' bash --norc --noprofile +o history"
LONG = os.environ.get("ROWCAST_LONG") == "1"


def text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


class Shell:
    """A shell that has an app as its only job."""

    def wait_until(self, condition, what):
        """Looks until a condition holds."""
        end = time.monotonic() + 60
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain for {what}; the screen is\n{self.shown()}")
            self.look()

    def children(self):
        return [int(pid) for pid in text_of(f"/proc/{self.pid}/task/{self.pid}/children").split()]

    def start(self, command):
        """Starts the app, by a command line."""
        self.type(command + "\r")
        self.wait_until(self.children, "the app")
        self.app = self.children()[0]
        self.wait_until(lambda: os.path.realpath(f"/proc/{self.app}/exe") == os.path.realpath(DEMO), "the app itself")

    def is_stopped(self):
        """Whether all threads are stopped: the shell is told of that by the last of them."""
        stats = [text_of(path) for path in glob.glob(f"/proc/{self.app}/task/*/stat")]
        return all(stat.rpartition(")")[2].split()[:1] == ["T"] for stat in stats)

    def switches(self):
        """How often the app was put aside: another number once it has run."""
        return re.findall(r"ctxt_switches:\s*(\d+)", text_of(f"/proc/{self.app}/status"))

    def expect_stop(self, cause):
        """Sees that the app is stopped, after it has run, if something resumes it."""
        before = self.switches()
        was_stopped = self.is_stopped()
        cause()
        self.wait_until(lambda: self.is_stopped() and (not was_stopped or self.switches() != before), "a stop")
        # The shell knows it as well when it has carried out something else.
        self.run_command("true")

    def signal(self, number):
        os.kill(self.app, number)

    def press(self, keys, words):
        """Presses keys until the screen shows something."""
        self.type(keys)
        self.wait_until(lambda: words in self.shown(), words)


class BareShell(Shell):
    """A shell in a pseudo-terminal."""

    def __init__(self, test_case):
        self.terminal = Terminal(shell=BASH)
        self.pid = self.terminal.pid
        self.commands = 0
        self.wait_until(lambda: self.terminal.text.endswith("$ ") or "$ \x1b" in self.terminal.text, "a prompt")

    def look(self):
        self.terminal.read(0.05)

    def shown(self):
        # Without styles, which divide words.
        return re.sub("\x1b\\[[0-9;]*m", "", self.terminal.text)

    def type(self, keys):
        self.terminal.forget()
        self.terminal.type(keys)

    def run_command(self, command):
        """What a command writes, and whatever else is written meanwhile."""
        self.commands += 1
        self.type(f"{command}; echo mark'-'{self.commands}.\r")
        self.wait_until(lambda: f"mark-{self.commands}." in self.shown(), command)
        return self.shown()

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal.master)
        os.close(self.terminal.slave)


class TmuxShell(Shell):
    """A shell in tmux."""

    def __init__(self, test_case):
        folder = tempfile.TemporaryDirectory()
        test_case.addCleanup(folder.cleanup)
        self.tmux = ["tmux", "-u", "-f", "/dev/null", "-S", os.path.join(folder.name, "socket")]
        self.commands = 0
        environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        subprocess.run([*self.tmux, "new-session", "-d", "-x", "90", "-y", "24", BASH], check=True, env=environment)
        self.pid = int(self.ask("display-message", "-p", "#{pane_pid}"))
        self.wait_until(lambda: self.shown().strip().endswith("$"), "a prompt")

    def ask(self, *words):
        return subprocess.run([*self.tmux, *words], check=True, stdout=subprocess.PIPE, text=True).stdout

    def look(self):
        select.select([], [], [], 0.05)

    def shown(self):
        return self.ask("capture-pane", "-p")

    def type(self, keys):
        self.ask("send-keys", "-H", *[f"{byte:x}" for byte in keys.encode()])

    def run_command(self, command):
        self.commands += 1
        self.type(f"clear; {command}; echo mark'-'{self.commands}.\r")
        self.wait_until(lambda: f"mark-{self.commands}." in self.shown(), command)
        return self.shown()

    def close(self):
        subprocess.run([*self.tmux, "kill-server"], check=False)


class JobTests(TerminalTestCase):
    def check_shell(self, shell):
        """Sees that the shell has its terminal, and the app draws nothing there."""
        text = shell.run_command("stty -a | tr ';' '\\n'")
        self.assertRegex(text, r"\s" + "icanon")
        self.assertRegex(text, r"\s" + "echo ")
        self.assertNotIn("\x1b[?2026h", text)
        self.assertNotIn("\x1b[?1049h", text)

    def check_keys(self, shell):
        """Sees that the keys of the app work."""
        shell.press("?", "end, with exit code 0")
        shell.press("?", "q quit")
        shell.wait_until(lambda: "Messages" in shell.shown(), "the list")

    def run_sequence(self, shell, chance):
        """Does one thing after another to the app, each at random, and sees after each that all is well."""
        steps = []
        with self.subTest(steps=steps):
            command = f"{DEMO} feed --speed 0.3"
            in_front = chance.random() < 0.6
            if in_front:
                shell.start(command)
                self.check_keys(shell)
            else:
                shell.start(command + " &")
                shell.wait_until(shell.is_stopped, "a stop in the background")
            steps.append("start" if in_front else "start &")
            for _ in range(chance.randint(2, 6)):
                step = chance.choice(["^Z", "STOP", "CONT"] if in_front else ["bg", "fg", "fg", "STOP", "CONT"])
                steps.append(step)
                if in_front and step == "CONT":
                    shell.signal(signal.SIGCONT)
                elif in_front:
                    shell.expect_stop(lambda: shell.type("\x1a") if step == "^Z" else shell.signal(signal.SIGSTOP))
                    in_front = False
                elif step == "fg":
                    shell.type("fg\r")
                    shell.wait_until(lambda: "q quit" in shell.shown(), "the app")
                    in_front = True
                elif step == "bg":
                    shell.expect_stop(lambda: shell.type("bg\r"))
                elif step == "CONT":
                    shell.expect_stop(lambda: shell.signal(signal.SIGCONT))
                else:
                    shell.signal(signal.SIGSTOP)
                if in_front:
                    self.check_keys(shell)
                else:
                    self.check_shell(shell)
            if in_front:
                shell.type("q")
                shell.wait_until(lambda: not shell.children(), "the end")
            else:
                # What the shell writes meanwhile may be on the app's own screen, which is gone with it.
                shell.type("kill %1\r")
                shell.wait_until(lambda: not shell.children(), "the end")
            # What it has drawn before is not looked at.
            shell.run_command("true")
            self.check_shell(shell)

    def run_sequences(self, shell, count):
        seed = int(os.environ.get("ROWCAST_SEED") or random.randrange(1 << 32))
        print(f"fuzz: jobs: ROWCAST_SEED={seed}", file=sys.stderr)
        chance = random.Random(seed)
        try:
            for _ in range(30 if LONG else count):
                self.run_sequence(shell, chance)
                if not self._outcome.success:
                    break
        finally:
            shell.close()

    def test_keys_work_after_stops_and_in_the_background_nothing_is_drawn(self):
        self.run_sequences(BareShell(self), 8)

    @unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
    def test_keys_work_in_tmux_after_stops(self):
        self.run_sequences(TmuxShell(self), 6)

    def test_an_app_that_is_started_in_the_background_leaves_the_modes_of_the_shell_behind(self):
        shell = BareShell(self)
        shell.start(f"{DEMO} settings &")
        shell.wait_until(shell.is_stopped, "a stop")
        self.assertIn("Stopped", shell.run_command("jobs"))
        shell.type("fg\r")
        shell.wait_until(lambda: "q quit" in shell.shown(), "the app")
        shell.type("q")
        shell.wait_until(lambda: not shell.children(), "the end")
        self.check_shell(shell)
        shell.close()

    def test_an_app_that_nobody_can_bring_to_the_foreground_ends_with_a_message(self):
        shell = BareShell(self)
        # The shell that has started it ends at once.
        shell.type(f"({DEMO} feed --speed 0.3 &)\r")
        shell.wait_until(lambda: "there is no shell that could give it back" in shell.shown(), "a message")
        shell.close()


if __name__ == "__main__":
    unittest.main()

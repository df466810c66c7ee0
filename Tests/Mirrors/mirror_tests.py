"""Mirrors behind real transports: pipes, an MQTT broker, Redis Streams. Each ends with the list of the writer, byte for byte.

    python3 Tests/Mirrors/mirror_tests.py DEMO

Where mosquitto or redis-server cannot be had, that is said, and pipes remain.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Page"))
from folding import Fold

DEMO = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ".build/debug/demo"


def final(lines):
    """The list that lines lead to, in one form. A line that is not complete yet is left out."""
    fold = Fold()
    for line in lines:
        if line.endswith(b"\n"):
            fold.take(json.loads(line))
    return json.dumps(fold.sections, sort_keys=True).encode()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    """Whether a server listens at a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


def eventually(condition, what, seconds=60):
    """Waits until something holds."""
    tick = threading.Event()
    for _ in range(seconds * 20):
        if condition():
            return
        tick.wait(0.05)
    raise AssertionError(f"never: {what}")


class Mirror:
    """A mirror in a process of its own: lines go in, the lines of what it shows go to a file."""

    def __init__(self, folder, name, source=None, drops=lambda number: False):
        self.path = os.path.join(folder, name + ".jsonl")
        self.output = open(self.path, "ab")
        self.program = subprocess.Popen(
            [DEMO, "replay", "-", "--join", "--json", "--quiet"], stdin=subprocess.PIPE, stdout=self.output,
            stderr=subprocess.PIPE)
        self.source = source and subprocess.Popen(source, stdout=subprocess.PIPE)
        self.received = 0
        if self.source:
            self.pump = threading.Thread(target=self.copy, args=(drops,), daemon=True)
            self.pump.start()

    def copy(self, drops):
        for number, line in enumerate(self.source.stdout):
            self.received += 1
            if not drops(number):
                self.write(line)

    def write(self, line):
        self.program.stdin.write(line)
        self.program.stdin.flush()

    @property
    def list(self):
        with open(self.path, "rb") as file:
            return final(file)

    def close(self):
        if self.source:
            self.source.terminate()
            self.source.wait()
            self.source.stdout.close()
            self.pump.join()
        self.program.stdin.close()
        self.program.wait()
        self.program.stderr.close()
        self.output.close()


class Brokers:
    """Servers that pass lines on, for a test that has a folder and makes mirrors."""

    def start(self, port, *program):
        server = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        eventually(lambda: listens(port), f"{program[0]} listens")

    def redis(self):
        """Returns the port of a new server."""
        port = free_port()
        self.start(port, "redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder)
        return port

    def mqtt(self):
        """Returns functions of a new broker: one publishes lines, the other makes a mirror that listens to them."""
        port = free_port()
        configuration = os.path.join(self.folder, "mosquitto.conf")
        with open(configuration, "w") as file:
            file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 0\n")
        self.start(port, "mosquitto", "-c", configuration)
        to_broker = ["-h", "127.0.0.1", "-p", str(port), "-t", "list", "-q", "1"]

        def publish(lines):
            subprocess.run(["mosquitto_pub", *to_broker, "-l"], input=b"".join(lines), check=True)

        def subscribe(name, **options):
            mirror = self.mirror(name, source=["mosquitto_sub", *to_broker], **options)

            # It listens when a line arrives that is no message, and is sent again and again until then.
            def receives():
                publish([b"no message\n"])
                return mirror.received > 0
            eventually(receives, f"{name} listens")
            return mirror

        return publish, subscribe


class MirrorTests(Brokers, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        feed = subprocess.run(
            [DEMO, "feed", "--seed", "11", "--json", "--lockstep", "--keyframe", "50", "--quiet"], check=True,
            capture_output=True)
        cls.lines = [line + b"\n" for line in feed.stdout.splitlines() if b'"kind":"end"' not in line]
        # The last line repeats the list, so that whoever has missed something comes to the end.
        whole = Fold()
        for line in cls.lines:
            whole.take(json.loads(line))
        last = json.loads(cls.lines[-1])
        cls.lines.append(
            json.dumps({
                "v": 1, "kind": "initial", "epoch": last["epoch"], "revision": last["revision"],
                "sections": whole.sections,
            }).encode() + b"\n")
        cls.expected = final(cls.lines)
        assert len(cls.lines) > 150, len(cls.lines)

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.open = []

    def tearDown(self):
        for mirror in self.open:
            mirror.close()

    def mirror(self, name, *arguments, **options):
        mirror = Mirror(self.folder, name, *arguments, **options)
        self.open.append(mirror)
        return mirror

    def retire(self, mirror):
        self.open.remove(mirror)
        mirror.close()

    def expect_same(self, *mirrors):
        for mirror in mirrors:
            eventually(lambda: mirror.list == self.expected, f"{mirror.path} has the list of the writer")

    def test_over_pipes(self):
        third = len(self.lines) // 3
        feeds = {
            "first": self.lines, "late": self.lines[third:], "back": self.lines[:third] + self.lines[2 * third:],
            "lossy": [line for number, line in enumerate(self.lines) if number % 10 != 9 or line is self.lines[-1]],
        }
        mirrors = []
        for name, lines in feeds.items():
            mirror = self.mirror(name)
            for line in lines:
                mirror.write(line)
            mirrors.append(mirror)
        self.expect_same(*mirrors)

    @unittest.skipUnless(shutil.which("mosquitto") and shutil.which("mosquitto_sub"), "NO mosquitto can be had here")
    def test_over_an_mqtt_broker(self):
        publish, subscribe = self.mqtt()

        third = len(self.lines) // 3
        first, back = subscribe("first"), subscribe("back")
        lossy = subscribe("lossy", drops=lambda number: number % 10 == 9 and number < len(self.lines) - 10)
        publish(self.lines[:third])
        eventually(lambda: back.received >= third, "a third arrives")
        self.retire(back)
        publish(self.lines[third:2 * third])
        late = subscribe("late")
        back = subscribe("back again")
        publish(self.lines[2 * third:])
        self.expect_same(first, back, lossy, late)

    @unittest.skipUnless(shutil.which("redis-server"), "NO redis-server can be had here")
    def test_over_redis_streams(self):
        port = self.redis()
        connection = socket.create_connection(("127.0.0.1", port))
        self.addCleanup(connection.close)
        replies = connection.makefile("rb")
        self.addCleanup(replies.close)

        def command(*words):
            parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
            connection.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(p), p) for p in parts))
            return reply()

        def reply():
            line = replies.readline()
            kind, rest = line[:1], line[1:-2]
            if kind == b"*":
                return [reply() for _ in range(int(rest))]
            if kind == b"$":
                text = replies.read(int(rest) + 2)[:-2]
                return text
            self.assertNotEqual(kind, b"-", rest)
            return rest

        def read(mirror, start, end="+"):
            """Writes the entries from an id on to a mirror. Returns the last id."""
            for number, fields in command("XRANGE", "list", start, end):
                mirror.write(fields[1])
                start = number.decode()
            return start

        third = len(self.lines) // 3
        for line in self.lines[:third]:
            command("XADD", "list", "*", "line", line)
        first = self.mirror("first")
        position = read(first, "-")
        for line in self.lines[third:]:
            command("XADD", "list", "*", "line", line)
        read(first, "(" + position)
        # A late reader starts at the last keyframe that it finds, going backwards, and catches up by id.
        late = self.mirror("late")
        entries = command("XREVRANGE", "list", "+", "-", "COUNT", 120)
        keyframes = [number for number, fields in entries if b'"kind":"initial"' in fields[1].replace(b": ", b":")]
        read(late, keyframes[1].decode())
        self.expect_same(first, late)


class Server:
    """A server whose list is in a file: events go in, one at a time, and its lines come out."""

    def __init__(self, archive):
        self.program = subprocess.Popen(
            [DEMO, "stdin", "--json", "--lockstep", "--quiet", "--keyframe", "15", "--archive", archive],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = [self.program.stdout.readline()]

    def run(self, ids, title):
        """Edits rows. Returns the lines of these edits."""
        start = len(self.lines)
        for number in ids:
            event = {"op": "upsert", "id": str(number), "section": "s", "title": f"{title} {number}"}
            self.program.stdin.write(json.dumps(event).encode() + b"\n")
            self.program.stdin.flush()
            self.lines.append(self.program.stdout.readline())
            if (len(self.lines) - 1) % 16 == 15:
                self.lines.append(self.program.stdout.readline())
        return self.lines[start:]

    def kill(self):
        self.program.kill()
        self.close()

    def stop(self):
        self.program.stdin.close()
        self.close()

    def close(self):
        self.program.stdout.close()
        self.program.wait()
        if not self.program.stdin.closed:
            self.program.stdin.close()

    @property
    def whole(self):
        """A line with the whole list, and the lineage of the run."""
        first, last = json.loads(self.lines[0]), json.loads(self.lines[-1])
        fold = Fold()
        for line in self.lines:
            fold.take(json.loads(line))
        return json.dumps({**first, "revision": last["revision"], "sections": fold.sections}).encode() + b"\n"


class RunTests(Brokers, unittest.TestCase):
    """Servers that are killed, restarted, restored from a backup, and run twice over copies: mirrors end with the list of the last."""

    def lines(self, folder):
        """The lines of all servers, in the order in which they are sent."""
        archive, backup, copy = (os.path.join(folder, name) for name in ("list", "backup", "copy"))
        first = Server(archive)
        first.run(range(60), "first")
        first.stop()
        shutil.copy(archive, backup)
        killed = Server(archive)
        killed.run(range(40, 100), "killed")
        killed.kill()
        again = Server(archive)
        again.run(range(20), "again")
        again.stop()
        shutil.copy(backup, archive)
        restored = Server(archive)
        restored.run(range(50, 110), "restored")
        restored.stop()
        shutil.copy(archive, copy)
        one, two = Server(archive), Server(copy)
        sent = [line for server in (first, killed, again, restored) for line in server.lines]
        sent += one.lines + two.lines
        for number in range(40):
            sent += one.run([number], "one") + two.run([number + 30], "two")
        one.stop()
        sent += two.run(range(5), "last")
        sent.append(two.whole)
        two.stop()
        epochs = {json.loads(server.lines[0])["epoch"] for server in (first, killed, again, restored, one, two)}
        self.assertEqual(len(epochs), 6)
        return sent

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.sent = self.lines(self.folder)
        self.expected = final(self.sent[-1:])

    def mirror(self, name, **options):
        mirror = Mirror(self.folder, name, **options)
        self.addCleanup(mirror.close)
        return mirror

    def relay(self, lines):
        """Passes lines through a mirror. Returns what it sends on."""
        program = [DEMO, "replay", "-", "--join", "--json", "--quiet", "--keyframe", "1"]
        given = subprocess.run(program, input=b"".join(lines), stdout=subprocess.PIPE, check=False).stdout
        return [line for line in given.splitlines(keepends=True) if b'"kind":"end"' not in line]

    def lossy(self, lines):
        return [line for number, line in enumerate(lines) if number % 7 != 6 or number == len(lines) - 1]

    def expect(self, *mirrors):
        for mirror in mirrors:
            eventually(lambda: mirror.list == self.expected, f"{mirror.path} has the list of the last server")

    def test_over_pipes_and_relays_of_relays(self):
        feeds = {"all": self.sent, "lossy": self.lossy(self.sent)}
        feeds["relay"] = self.lossy(self.relay(self.lossy(self.sent)))
        feeds["relay of relay"] = self.lossy(self.relay(feeds["relay"]))
        mirrors = []
        for name, lines in feeds.items():
            mirrors.append(self.mirror(name))
            for line in lines:
                mirrors[-1].write(line)
        self.expect(*mirrors)

    @unittest.skipUnless(shutil.which("mosquitto") and shutil.which("mosquitto_sub"), "NO mosquitto can be had here")
    def test_over_an_mqtt_broker(self):
        publish, subscribe = self.mqtt()

        mirrors = [subscribe("all"), subscribe("lossy", drops=lambda number: number % 7 == 6 and number < len(self.sent) - 9)]
        half = len(self.sent) // 2
        publish(self.sent[:half])
        mirrors.append(subscribe("late"))
        publish(self.sent[half:])
        self.expect(*mirrors)

    @unittest.skipUnless(shutil.which("redis-server") and shutil.which("redis-cli"), "NO redis-server can be had here")
    def test_over_redis_streams(self):
        port = str(self.redis())
        for line in self.sent:
            subprocess.run(
                ["redis-cli", "-p", port, "-x", "XADD", "list", "*", "line"], input=line.rstrip(b"\n"), check=True,
                stdout=subprocess.DEVNULL)
        entries = subprocess.run(
            ["redis-cli", "-p", port, "--raw", "XRANGE", "list", "-", "+"], stdout=subprocess.PIPE, check=True).stdout
        kept = [line + b"\n" for line in entries.split(b"\n") if line.startswith(b"{")]
        self.assertEqual(len(kept), len(self.sent))
        mirrors = [self.mirror("all"), self.mirror("lossy")]
        for mirror, lines in zip(mirrors, (kept, self.lossy(kept))):
            for line in lines:
                mirror.write(line)
        self.expect(*mirrors)


class HostileTests(unittest.TestCase):
    """A line of somebody who means harm: no crash, and no more memory than the line accounts for."""

    def replay(self, lines):
        """Replays lines in a mirror that joins. Returns its exit code, its list, and the most memory it had in bytes."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as written:
            given.write(b"".join(lines))
            given.seek(0)
            program = subprocess.Popen(
                [DEMO, "replay", "-", "--join", "--json", "--quiet"], stdin=given, stdout=written, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(program.pid, 0)
            program.returncode = os.waitstatus_to_exitcode(status)
            written.seek(0)
            shown = [line for line in written if b'"kind":"end"' not in line]
            return program.returncode, final(shown), usage.ru_maxrss * 1024

    def test_a_hostile_line_crashes_nothing_and_takes_no_memory_of_its_own(self):
        whole = {"v": 1, "kind": "initial", "epoch": "e", "revision": 3, "sections": [
            {"id": "a", "title": "A", "rows": [{"id": str(row), "title": "row"} for row in range(100)]}]}
        none = {"deletes": [], "inserts": [], "moves": [], "updates": []}
        row = {"id": "new", "title": "new"}

        def changes(rows=none, sections=none, **fields):
            return {"v": 1, "kind": "changes", "epoch": "e", "previous": 3, "revision": 4, "sections": sections,
                    "rows": rows, **fields}
        huge = 2 ** 63 - 1
        lines = {
            "huge delete": changes({**none, "deletes": [[0, huge]]}),
            "huge insert": changes({**none, "inserts": [{"at": [0, huge], "row": row}]}),
            "huge section": changes({**none, "inserts": [{"at": [huge, 0], "row": row}]}),
            "huge move": changes({**none, "moves": [{"from": [0, 0], "to": [0, huge - 1]}]}),
            "huge move of a section": changes(sections={**none, "moves": [{"from": 0, "to": huge}]}),
            "huge update": changes({**none, "updates": [{"from": [0, huge], "to": [0, huge], "row": row}]}),
            "huge revision": changes(revision=huge),
            "many deletes": changes({**none, "deletes": [[0, row] for row in range(100_000)]}),
            "many doubles": changes({**none, "inserts": [{"at": [0, row], "row": {"id": "new"}} for row in range(50_000)]}),
            "long epoch": changes(epoch="e" * 1_000_000),
        }
        lines = {name: json.dumps(line).encode() for name, line in lines.items()}
        lines["nested arrays"] = b"[" * 1_000_000 + b"]" * 1_000_000
        lines["nested sections"] = json.dumps(whole).encode()[:-2] + b',{"a":' * 1_000_000
        first = json.dumps(whole).encode() + b"\n"
        _, expected, plain = self.replay([first])
        for name, line in lines.items():
            with self.subTest(name):
                code, shown, memory = self.replay([first, line + b"\n"])
                self.assertIn(code, (0, 1, 2, 3))
                self.assertEqual(shown, expected)
                self.assertLess(memory, plain + 8_000_000 + 60 * len(line))


if __name__ == "__main__":
    unittest.main()

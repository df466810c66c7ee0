"""`demo serve`: a list live in a real browser, and what its server refuses.

    python3 Tests/Page/serve_test.py [path of the demo executable]
"""

import http.server
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

import browser

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
DEMO = os.path.abspath(".build/debug/demo")


class Server:
    """A running `demo serve`."""

    def __init__(self, test, *arguments, port=0):
        # A shell that runs the tests in the background has programs ignore interrupts.
        self.process = subprocess.Popen(
            [DEMO, "serve", *arguments, "--port", str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        test.addCleanup(self.end, signal.SIGKILL)
        self.address = self.process.stdout.readline().decode().strip()
        self.port = int(self.address.rpartition(":")[2])

    def say(self, *events):
        self.process.stdin.write("".join(json.dumps(event) + "\n" for event in events).encode())
        self.process.stdin.flush()

    def end(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()

    def connect(self, *parts):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        for part in parts:
            connection.sendall(part)
        return connection

    def request(self, path="/", method="GET", host=None, more=""):
        return f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\n{more}\r\n".encode()

    def status(self, *parts):
        """The status of the answer; None if there is none."""
        with self.connect(*parts) as connection:
            connection.shutdown(socket.SHUT_WR)
            answer = rest(connection)
            return int(answer.split()[1]) if answer else None


def rest(connection):
    """What comes until the other end closes."""
    content = b""
    while True:
        try:
            chunk = connection.recv(65_536)
        except ConnectionError:
            return content
        if not chunk:
            return content
        content += chunk


class RequestTests(unittest.TestCase):
    def test_what_is_no_request_for_the_list_is_refused(self):
        server = Server(self, "stdin")
        # It has ten seconds, which pass while the others are asked.
        slow = server.connect(b"GET / HT")
        for path, status in (("/", 200), ("/rowcast.js", 200), ("/favicon.ico", 404), ("/../etc/passwd", 404)):
            self.assertEqual(server.status(server.request(path)), status, path)
        for method in ("POST", "HEAD", "OPTIONS"):
            self.assertEqual(server.status(server.request(method=method)), 405)
        self.assertEqual(server.status(server.request(host="evil.example")), 403)
        self.assertEqual(server.status(server.request(host=f"localhost:{server.port}")), 200)
        self.assertEqual(server.status(server.request(more="X: " + "a" * 20_000 + "\r\n")), 431)
        seed = int(os.environ.get("ROWCAST_SEED") or 7)
        print(f"fuzz: bytes for demo serve: ROWCAST_SEED={seed}", file=sys.stderr)
        chance = random.Random(seed)
        for _ in range(100):
            self.assertIn(server.status(chance.randbytes(chance.randrange(1, 3_000))), (None, 400))
        self.assertIn(server.status(chance.randbytes(20_000)), (None, 400, 431))
        self.assertIn(b" 408 ", rest(slow))
        slow.close()
        self.assertEqual(server.end(signal.SIGTERM), 143)

    def test_there_are_64_connections_and_each_that_goes_makes_room(self):
        server = Server(self, "stdin")
        streams = [server.connect(server.request("/list")) for _ in range(64)]
        for stream in streams:
            self.assertIn(b" 200 ", stream.recv(20))
        self.assertEqual(server.status(server.request()), 503)
        streams.pop().close()
        while (status := server.status(server.request())) == 503:
            pass
        self.assertEqual(status, 200)
        server.process.send_signal(signal.SIGINT)
        for stream in streams:
            self.assertIn(b'"kind":"end"', rest(stream))
            stream.close()
        # It was asked once: a second interrupt ends it without what is left to do.
        self.assertEqual(server.process.wait(), 130)

    def test_a_port_that_is_taken_is_said(self):
        server = Server(self, "stdin")
        result = subprocess.run([DEMO, "serve", "--port", str(server.port)], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn(f"port {server.port} is in use; choose another: demo serve --port", result.stderr)

    def test_a_position_resumes_from_the_header_and_from_the_query(self):
        server = Server(self, "stdin")
        server.say({"op": "upsert", "id": "a", "section": "s"})

        def event(path, more=""):
            with server.connect(server.request(path, more=more)) as connection:
                lines = connection.makefile("rb")
                identity = next(line for line in lines if line.startswith(b"id: ")).decode()[4:].strip()
                return identity, json.loads(next(lines)[6:])

        while not (whole := event("/list"))[1]["sections"]:
            pass
        self.assertEqual(whole[1]["kind"], "initial")
        for path, more in (("/list", f"Last-Event-ID: {whole[0]}\r\n"), (f"/list?lastEventId={whole[0]}", "")):
            self.assertEqual(event(path, more)[1]["kind"], "progress")
        self.assertEqual(event("/list", "Last-Event-ID: other/1\r\n")[1]["kind"], "initial")


@unittest.skipUnless(browser.executable(), "no browser is installed, and none could be")
class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, server):
        page = browser.Page(self.browser, server.address)
        self.addCleanup(page.close)
        return page

    def number(self, page, name):
        return int(page.evaluate(f"document.getElementById('{name}').textContent"))

    def wait_for_status(self, page, status):
        page.wait_for(f"document.getElementById('status').dataset.status === '{status}'")

    LINES = "[...document.querySelectorAll('#list > li')].map((line) => line.textContent)"

    def test_rows_come_move_change_and_go_and_keep_their_elements(self):
        server = Server(self, "stdin")
        server.say({"op": "replace", "sections": [{"id": "s", "title": "<b>", "rows": [{"id": one} for one in "abc"]}]})
        page = self.open(server)
        page.wait_for(f"{self.LINES}.join() === '<b> (3),a,b,c'")
        page.evaluate("for (const line of document.querySelectorAll('.row')) line.mark = line.textContent")
        server.say({"op": "batch", "events": [
            {"op": "move", "id": "a", "section": "s", "index": 2}, {"op": "upsert", "id": "c", "title": "C"},
            {"op": "delete", "id": "b"}, {"op": "upsert", "id": "d", "section": "s", "index": 0}]})
        page.wait_for(f"{self.LINES}.join() === '<b> (3),d,C,a'")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('.row')].map((line) => line.mark ?? '').join()"), ",c,a")
        self.assertEqual(page.noted("Runtime.exceptionThrown"), [])

    def test_pages_go_on_with_the_difference_after_the_server_was_killed_and_end_with_the_list(self):
        with tempfile.TemporaryDirectory(prefix="rowcast-serve-") as folder:
            archive = os.path.join(folder, "list.jsonl")
            server = Server(self, "stdin", "--archive", archive)
            server.say({"op": "replace", "sections": [{"id": "s", "rows": [{"id": str(one)} for one in range(200)]}]})
            pages = [self.open(server), self.open(server)]
            for page in pages:
                page.wait_for(f"{self.LINES}.length === 201")
            # A page that was quick has seen the empty list, too.
            wholes = {page: self.number(page, "wholes") for page in pages}
            for restart in range(3):
                position = {page: page.evaluate("document.getElementById('position').textContent") for page in pages}
                # The second time it ends by itself.
                server.end(signal.SIGTERM if restart == 1 else signal.SIGKILL)
                for page in pages:
                    self.wait_for_status(page, "waiting")
                server = Server(self, "stdin", "--archive", archive, port=server.port)
                server.say({"op": "upsert", "id": "7", "title": f"after restart {restart}"}, {"op": "delete", "id": str(restart)})
                for page in pages:
                    page.wait_for(f"{self.LINES}.includes('after restart {restart}') && {self.LINES}.length === {200 - restart}")
                    self.wait_for_status(page, "live")
                    self.assertEqual(self.number(page, "wholes"), wholes[page])
                    epoch = page.evaluate("document.getElementById('position').textContent").split("/")[0]
                    self.assertNotEqual(epoch, position[page].split("/")[0], "another run of the list")
            self.assertEqual(server.end(signal.SIGTERM), 143)
        # Another list, which ends.
        server = Server(self, "--speed", "4", port=server.port)
        for page in pages:
            page.wait_for(f"Number(document.getElementById('wholes').textContent) > {wholes[page]}")
        self.assertEqual(server.end(signal.SIGINT), 130)
        for page in pages:
            self.wait_for_status(page, "ended")
            self.assertEqual(page.noted("Runtime.exceptionThrown"), [])
            self.assertEqual(self.number(page, "rows"), page.evaluate("document.querySelectorAll('.row').length"))
        self.assertEqual(pages[0].evaluate(self.LINES), pages[1].evaluate(self.LINES))


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with what the server has for a path: type and text."""

    def do_GET(self):
        kind, text = self.server.content.get(self.path, ("text/plain", ""))
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())
        self.server.requests.append(self.path)

    def log_message(self, *arguments):
        pass


@unittest.skipUnless(browser.executable(), "no browser is installed, and none could be")
class ArticleTests(unittest.TestCase):
    def test_the_page_of_the_article_shows_a_list_until_its_end(self):
        with open(os.path.join(ROOT, "Sources/Rowcast/Rowcast.docc/ServingLists.md"), encoding="utf-8") as file:
            page = file.read().split("```html\n")[1].split("```")[0]
        with open(os.path.join(ROOT, "Sources/RowcastBrowser/rowcast.js"), encoding="utf-8") as file:
            module = file.read()
        self.assertLessEqual(page.count("\n"), 15)
        none = {"deletes": [], "inserts": [], "moves": [], "updates": []}
        jobs = [{"id": 1, "state": "waiting"}, {"id": 2, "state": "waiting"}]
        messages = [
            {"kind": "initial", "revision": 0, "sections": [{"id": 0, "rows": jobs}]},
            {"kind": "changes", "previous": 0, "revision": 1, "sections": none, "rows": {
                **none, "moves": [{"from": [0, 1], "to": [0, 0]}],
                "updates": [{"from": [0, 1], "to": [0, 0], "row": {"id": 2, "state": "done"}}]}},
            {"kind": "end", "revision": 1, "updates": 2},
        ]
        events = "".join(f"data: {json.dumps({'v': 1, 'epoch': 'e', **message})}\n\n" for message in messages)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.requests = []
        server.content = {
            "/": ("text/html", page), "/rowcast.js": ("text/javascript", module), "/jobs": ("text/event-stream", events)}
        threading.Thread(target=server.serve_forever).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        chromium = browser.Browser()
        self.addCleanup(chromium.close)
        tab = browser.Page(chromium, f"http://127.0.0.1:{server.server_port}/")
        tab.wait_for("document.getElementById('status').textContent === 'ended'")
        lines = "[...document.querySelectorAll('#jobs > li')].map((line) => line.textContent)"
        self.assertEqual(tab.evaluate(lines), ["2 done", "1 waiting"])
        self.assertEqual(server.requests.count("/jobs"), 1, "the end is no failure")


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        DEMO = os.path.abspath(sys.argv.pop(1))
    if not browser.executable():
        print("serve: NO BROWSER on this machine; the tests in a browser are SKIPPED", file=sys.stderr)
    unittest.main()

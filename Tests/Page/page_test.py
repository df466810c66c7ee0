"""The page that `demo replay FILE --html OUT.html` writes: as a file, and in a real browser.

    python3 Tests/Page/page_test.py [path of the demo executable]
"""

import html.parser
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import browser
import recordings
from folding import folded, messages

DEMO = os.path.abspath(".build/debug/demo")


def demo(*arguments, **options):
    return subprocess.run([DEMO, *arguments], capture_output=True, **options)


class Recorded(unittest.TestCase):
    """Tests with a folder for recordings and their pages."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="rowcast-page-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.feed = cls.path("feed.jsonl")
        recordings.feed(DEMO, cls.feed)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def page(self, recording, *options):
        """The path of the page of a recording."""
        output = recording + ".html"
        result = demo("replay", recording, "--html", output, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return output


@unittest.skipUnless(shutil.which("node"), "no node is installed")
class ModuleTests(Recorded):
    """The module that mirrors lists, without a browser."""

    def test_the_module_in_node(self):
        recorded = []
        for path, arguments, events in (
                (self.path("keyframes.jsonl"), ["feed", "--seed", "7"], ()),
                (self.path("walk-keyframes.jsonl"), ["stdin", "--quiet"], recordings.walk(seed=4, length=200))):
            lines = "".join(json.dumps(event) + "\n" for event in events)
            result = demo(*arguments, "--json", "--lockstep", "--keyframe", "10", input=lines.encode())
            recordings.write(path, result.stdout)
            recorded.append(path)
        result = subprocess.run(
            ["node", "--test", "--test-reporter=tap", os.path.join(os.path.dirname(__file__), "module_test.mjs")],
            env={**os.environ, "RECORDINGS": "\n".join(recorded)}, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("\n# pass 8\n", result.stdout)


@unittest.skipUnless(shutil.which("tsc"), "no TypeScript is installed, and none could be")
class TypesTests(unittest.TestCase):
    """rowcast.d.ts, with right and wrong uses of all that it declares."""

    def test_the_types_take_what_is_right_and_refuse_what_is_wrong(self):
        result = subprocess.run(
            ["tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node",
             "--lib", "es2022,dom", os.path.join(os.path.dirname(os.path.abspath(__file__)), "types_test.ts")],
            capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class Parser(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.elements = []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))


class FileTests(Recorded):
    """What is in the file, and what becomes of it when something is wrong."""

    def refused(self, *arguments, code=1, **options):
        result = demo(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stdout, b"")
        return result.stderr.decode()

    def test_the_file_refers_to_nothing(self):
        with open(self.page(self.feed), encoding="utf-8") as file:
            text = file.read()
        parser = Parser()
        parser.feed(text)
        for tag, attributes in parser.elements:
            for name in ("src", "href", "srcset", "action", "data"):
                self.assertIn(attributes.get(name, "data:,"), ("data:,", None), f"{tag} {attributes}")
        self.assertEqual([tag for tag, _ in parser.elements].count("script"), 2)
        self.assertNotRegex(text.split("<script type=\"application/json\"")[0], r"https?:|@import|url\(")
        self.assertIn("default-src 'none'", text)

    def test_hostile_text_does_not_leave_its_place(self):
        recording = self.path("hostile.jsonl")
        recordings.script(DEMO, recording, recordings.hostile())
        with open(self.page(recording), encoding="utf-8") as file:
            text = file.read()
        data = re.search(r'<script type="application/json" id="recording">\n(.*?)</script>', text, re.S).group(1)
        self.assertNotIn("<", data)
        self.assertNotRegex(data, "[\u2028\u2029\u202a-\u202e\u2066-\u2069\x7f-\x9f]")
        self.assertEqual(json.loads(data)["messages"], messages(recording))

    def test_the_numbers_are_those_of_a_table_that_shows_the_recording(self):
        with open(self.page(self.feed, "--rows", "7", "--pool-cap", "0"), encoding="utf-8") as file:
            data = re.search(r'id="recording">\n(.*?)</script>', file.read(), re.S).group(1)
        replay = json.loads(data)["replay"]
        count = len(messages(self.feed))
        for values in (*replay["cells"].values(), replay["microseconds"], replay["rowCounts"]):
            self.assertEqual(len(values), count)
        self.assertLessEqual(max(replay["cells"]["visible"]), 7)
        self.assertEqual(max(replay["cells"]["pooled"]), 0)
        self.assertEqual(replay["rowCounts"][-1], sum(line[0] == "row" for line in folded(messages(self.feed)).lines))
        end = json.loads(demo("replay", self.feed, "--json", "--lockstep", "--rows", "7", "--pool-cap", "0")
                         .stdout.splitlines()[-1])
        pool = end["summary"]["pool"].values()
        self.assertEqual(replay["cells"]["created"][-1], sum(kind["created"] for kind in pool))
        self.assertEqual(replay["cells"]["reused"][-1], sum(kind["hits"] for kind in pool))

    def test_an_archive_of_several_runs_is_one_recording_and_an_unrelated_list_is_refused_by_its_line(self):
        archive = self.path("archive.jsonl")
        recordings_of_runs = []
        for ids in (range(5), (), range(5, 9)):
            events = "".join(json.dumps({"op": "upsert", "id": str(number), "section": "s"}) + "\n" for number in ids)
            result = demo("stdin", "--json", "--lockstep", "--quiet", "--archive", archive, input=events.encode())
            self.assertEqual(result.returncode, 0, result.stderr)
            recordings_of_runs.append(result.stdout)
        with open(self.page(archive), encoding="utf-8") as file:
            data = re.search(r'id="recording">\n(.*?)</script>', file.read(), re.S).group(1)
        self.assertEqual(folded(json.loads(data)["messages"]).lines, folded(messages(archive)).lines)
        self.assertEqual(len(folded(messages(archive)).lines), 10)
        first = [line for line in recordings_of_runs[0].splitlines(keepends=True) if b'"kind":"end"' not in line]
        following = self.path("following.jsonl")
        with open(following, "wb") as file:
            file.write(b"".join(first) + recordings_of_runs[2])
        self.page(following)
        with open(self.feed, "rb") as file:
            unrelated = b"".join(first) + file.read()
        words = self.refused("replay", "-", "--html", self.path("never.html"), input=unrelated)
        self.assertIn(f"line {len(first) + 1}: the message is of the list", words)

    def test_what_is_wrong_is_said_and_nothing_is_written(self):
        output = self.path("never.html")
        with open(self.feed, "rb") as file:
            lines = file.readlines()
        cases = [
            (b"", "is empty; record something first"),
            (b"\n\n", "is empty; record something first"),
            (b"hello\n", "line 1: no JSON"),
            (b'{"op":"upsert"}\n', "line 1: the field"),
            (lines[1], "line 1: the stream does not start with"),
            (b"".join(lines[:3] + lines[4:]), "line 4: the message starts at revision 3"),
            (b"".join(lines[:9]) + lines[9][:20], "line 10: no JSON"),
        ]
        for content, words in cases:
            with self.subTest(words):
                self.assertIn(words, self.refused("replay", "-", "--html", output, input=content))
                self.assertFalse(os.path.exists(output))
        self.assertIn("cannot read /no/file: No such file or directory",
                      self.refused("replay", "/no/file", "--html", output))
        self.assertIn("Is a directory", self.refused("replay", self.folder, "--html", output))
        self.assertIn("cannot write", self.refused("replay", self.feed, "--html", self.folder))
        self.assertIn("cannot write", self.refused("replay", self.feed, "--html", self.path("no/such/folder.html")))
        self.assertIn("overwrite the recording", self.refused("replay", self.feed, "--html", self.feed, code=2))
        self.assertEqual([name for name in os.listdir(self.folder) if ".part" in name], [])

    def test_a_recording_that_was_cut_off_is_shown_as_far_as_it_goes(self):
        recording = self.path("cut.jsonl")
        with open(self.feed, "rb") as file:
            recordings.write(recording, b"".join(file.readlines()[:20]))
        with open(self.page(recording), encoding="utf-8") as file:
            self.assertIn('"end":null', file.read())

    def test_an_end_of_another_version_is_an_end(self):
        with open(self.feed, "rb") as file:
            lines = file.readlines()
        end = json.loads(lines[-1])
        sources = {"source": end["summary"]["source"]}
        for summary, expected in ((None, {}), ({"pool": 7, "source": []}, {}), ({**sources, "pool": {"x": {}}}, sources),
                                  ({"latencyMicroseconds": {"p50": 1, "p99": 2}}, {"latencyMicroseconds": {"p50": 1, "p99": 2}})):
            recording = self.path("version.jsonl")
            other = {**end, "summary": summary} if summary else {key: end[key] for key in end if key != "summary"}
            recordings.write(recording, b"".join(lines[:-1]) + json.dumps(other).encode())
            with open(self.page(recording), encoding="utf-8") as file:
                data = re.search(r'id="recording">\n(.*?)</script>', file.read(), re.S).group(1)
            self.assertEqual(json.loads(data)["end"], expected)

    def test_a_page_takes_the_place_of_the_one_before_as_a_whole(self):
        output = self.path("again.html")
        recordings.write(output, b"former")
        os.chmod(output, 0o640)
        link = self.path("link.html")
        os.symlink(output, link)
        self.assertEqual(demo("replay", self.feed, "--html", link).returncode, 0)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(os.stat(output).st_mode & 0o777, 0o640)
        with open(output, "rb") as file:
            self.assertTrue(file.read().endswith(b"</html>\n"))

    def test_a_page_that_cannot_be_written_to_its_end_leaves_the_one_before(self):
        output = self.path("full.html")
        recordings.write(output, b"former")

        def small():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))

        self.assertIn("full.html: File too large", self.refused("replay", self.feed, "--html", output, preexec_fn=small))
        with open(output, "rb") as file:
            self.assertEqual(file.read(), b"former")
        self.assertEqual([name for name in os.listdir(self.folder) if ".part" in name], [])

    def test_a_pipe_is_written_into(self):
        output = self.path("pipe")
        os.mkfifo(output)
        content = []

        def read():
            with open(output, "rb") as file:
                content.append(file.read())

        reader = threading.Thread(target=read)
        reader.start()
        self.assertEqual(demo("replay", self.feed, "--html", output).returncode, 0)
        reader.join()
        self.assertTrue(content[0].endswith(b"</html>\n"))
        self.assertTrue(demo("replay", self.feed, "--html", "-").stdout.endswith(b"</html>\n"))


# Reads the list off the screen, from top to bottom, as somebody who scrolls would.
READ = """(async () => {
  const viewport = document.getElementById("viewport");
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const lines = new Map();
  viewport.scrollTop = 0;
  for (;;) {
    await frame();
    for (const line of document.querySelectorAll("#lines > .line")) {
      const text = (name) => line.querySelector("." + name).textContent;
      lines.set(Number(line.getAttribute("aria-rowindex")), line.classList.contains("header")
        ? ["header", text("title"), text("size")] : ["row", text("title"), text("kind"), text("subtitle")]);
    }
    if (viewport.scrollTop + viewport.clientHeight >= viewport.scrollHeight - 1) break;
    viewport.scrollTop += viewport.clientHeight;
  }
  viewport.scrollTop = 0;
  await frame();
  return [...lines.entries()].sort((a, b) => a[0] - b[0]).map((entry) => entry[1]);
})()"""

# One step, in the same breath as what is asked for after it: no time passes between them.
STEP = "document.getElementById('forth').click();"
PLACE = "document.getElementById('place').textContent.split(' / ')[0].replaceAll(',', '')"


SIGNS = {**{code: chr(0x2400 + code) for code in range(32)}, ord("\n"): "↵", 0x2028: "↵", 0x2029: "↵"}


def clipped(line):
    """A line as it is shown: texts that are very long are cut, and controls are signs."""
    return [(text if len(text) <= 400 else text[:399] + "…").translate(SIGNS) for text in line]


@unittest.skipUnless(browser.executable(), "no browser is installed, and none could be")
class BrowserTests(Recorded):
    """The page in a browser."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, recording, fragment="", **look):
        page = self.browser.open(self.page(recording), fragment, **look)
        self.addCleanup(page.close)
        self.addCleanup(self.assert_quiet, page)
        return page

    def assert_quiet(self, page):
        """Nothing was fetched but the page, nothing went wrong, and nobody wrote to the console."""
        for method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
            self.assertEqual(page.noted(method), [])
        requests = [event["request"]["url"].split("#")[0] for event in page.noted("Network.requestWillBeSent")]
        self.assertEqual([url for url in requests if url != "data:,"], [page.evaluate("location.href.split('#')[0]")])

    def assert_shows(self, page, recording, count):
        """The page shows the list after the first so many messages of a recording."""
        expected = [clipped(line) for line in folded(messages(recording), count).lines]
        self.assertEqual(page.evaluate(READ), expected)
        self.assertEqual(page.evaluate("Number(document.getElementById('viewport').getAttribute('aria-rowcount'))"),
                         len(expected))

    def scrub(self, page, position):
        page.evaluate(f"""(() => {{ const scrub = document.getElementById('scrub'); scrub.value = {position};
          scrub.dispatchEvent(new Event('input')); }})()""")
        self.assertEqual(page.evaluate(PLACE), str(position))

    def test_the_last_list_is_that_of_the_recording(self):
        page = self.open(self.feed, "#end")
        self.assert_shows(page, self.feed, None)
        facts = page.evaluate("document.getElementById('facts').textContent")
        self.assertIn(f"{len(messages(self.feed)) - 1} updates after the first list", facts)

    def test_a_fragment_opens_the_page_at_an_update(self):
        recording = self.path("fragment.jsonl")
        recordings.script(DEMO, recording, recordings.walk(seed=2, length=60))
        for position in (2, 40):
            page = self.open(recording, f"#{position}")
            self.assertEqual(page.evaluate(PLACE), str(position))
            self.assert_shows(page, recording, position + 1)

    def test_any_list_can_be_scrubbed_to_forwards_and_backwards(self):
        recording = self.path("walk.jsonl")
        recordings.script(DEMO, recording, recordings.walk(seed=5, length=400))
        page = self.open(recording)
        last = len(messages(recording)) - 1
        self.assertGreater(last, 200)
        self.assert_shows(page, recording, 1)
        for position in (last, last // 2, last // 2 - 1, 3, 40, 33, 32, 31, last - 1, 0, last):
            self.scrub(page, position)
            self.assert_shows(page, recording, position + 1)

    def test_every_step_leads_to_the_next_list(self):
        recording = self.path("steps.jsonl")
        recordings.script(DEMO, recording, recordings.walk(seed=11, length=80))
        page = self.open(recording)
        for position in range(1, len(messages(recording))):
            page.press("ArrowRight")
            self.assert_shows(page, recording, position + 1)

    def test_playing_reaches_the_end_and_starts_over(self):
        page = self.open(self.feed)
        page.evaluate("document.getElementById('speed').value = 200")
        page.press(" ", "Space", " ")
        self.assertEqual(page.evaluate("document.getElementById('play').getAttribute('aria-label')"), "Pause")
        page.wait_for("document.getElementById('play').getAttribute('aria-label') === 'Play'")
        self.assertEqual(page.evaluate(PLACE), str(len(messages(self.feed)) - 1))
        self.assert_shows(page, self.feed, None)
        page.evaluate("document.getElementById('speed').value = 5")
        page.press(" ", "Space", " ")
        page.wait_for(f"Number({PLACE}) > 0 && Number({PLACE}) < 100")
        page.press(" ", "Space", " ")
        position = int(page.evaluate(PLACE))
        # Playing this fast, every frame would be some updates later.
        page.evaluate("document.getElementById('speed').value = 200")
        page.wait_for_frames(5)
        self.assertEqual(page.evaluate(PLACE), str(position), "paused")
        self.assert_shows(page, self.feed, position + 1)

    def test_keys(self):
        page = self.open(self.feed)
        last = len(messages(self.feed)) - 1
        for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last),
                              ("ArrowRight", last), ("Home", 0), ("ArrowLeft", 0)):
            page.press(key)
            self.assertEqual(page.evaluate(PLACE), str(expected), key)
        page.evaluate("document.getElementById('scrub').focus()")
        for key, expected in (("ArrowRight", 1), ("ArrowUp", 2), ("End", last), ("Home", 0)):
            page.press(key)
            self.assertEqual(page.evaluate(PLACE), str(expected), f"{key} in the scrubber")
        page.evaluate("document.getElementById('forth').focus()")
        page.press(" ", "Space", " ")
        self.assertEqual(page.evaluate(PLACE), "1", "space on a button presses that button, once")
        self.assertEqual(page.evaluate("document.getElementById('play').getAttribute('aria-label')"), "Play")
        page.press("f", "KeyF", "f")
        self.assertTrue(page.evaluate("document.getElementById('follow').checked"))
        self.assertTrue(page.evaluate("document.getElementById('status').textContent").startswith("update 1 of "))

    def test_everything_can_be_reached_by_tab_and_has_a_name(self):
        page = self.open(self.feed, "#20")
        page.evaluate("document.body.focus()")
        reached = []
        for _ in range(40):
            page.press("Tab")
            reached.append(page.evaluate("document.activeElement.id || document.activeElement.className"))
            visible = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            self.assertTrue(visible == "solid" or reached[-1] in ("", "revision"), f"{reached[-1]}: {visible}")
        for name in ("follow", "viewport", "log", "first", "back", "play", "forth", "last", "scrub", "speed"):
            self.assertIn(name, reached)
        page.call("Accessibility.enable")
        for node in page.call("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if role in ("button", "slider", "checkbox", "combobox", "table", "image", "group") and not node["ignored"]:
                self.assertTrue(node.get("name", {}).get("value"), f"a {role} without a name")

    def test_rows_that_move_glide_unless_motion_is_not_wanted(self):
        recording = self.path("move.jsonl")
        rows = [{"id": str(number)} for number in range(9)]
        recordings.script(DEMO, recording, [
            {"op": "replace", "sections": [{"id": "s", "rows": rows}]}, {"op": "move", "id": "7", "section": "s", "index": 0}])
        running = """[...document.querySelectorAll("#lines > .row")].filter((row) => row.getAnimations().some(
          (one) => one.effect.getKeyframes().some((frame) => frame.transform?.startsWith("translateY")))).length"""
        for calm, gliding in ((False, 8), (True, 0)):
            page = self.open(recording, "#1", calm=calm)
            self.assertEqual(page.evaluate(STEP + running), gliding)
            self.assertEqual(page.evaluate("document.querySelector('#lines > .row').textContent"), ">7")
            self.assert_shows(page, recording, 3)

    def test_rows_carry_the_sign_of_what_the_update_did_to_them(self):
        recording = self.path("signs.jsonl")
        recordings.script(DEMO, recording, [
            {"op": "replace", "sections": [{"id": "s", "rows": [{"id": one} for one in "abcd"]}]},
            {"op": "batch", "events": [
                {"op": "upsert", "id": "a", "title": "A"}, {"op": "move", "id": "d", "section": "s", "index": 1},
                {"op": "upsert", "id": "e", "section": "s"}, {"op": "delete", "id": "b"}]},
            {"op": "upsert", "id": "c", "title": "C"}])
        page = self.open(recording, "#2", calm=True)
        signs = "[...document.querySelectorAll('#lines > .row')].map((row) => row.textContent)"
        self.assertEqual(page.evaluate(signs), ["~A", "d", ">c", "+e"])
        self.assertEqual(page.evaluate("document.querySelector('#lines .mark').getAttribute('aria-label')"), "updated")
        page.put_clock_forward(1_100)
        page.press("ArrowRight")
        self.assertEqual(page.evaluate(signs), ["A", "d", "~C", "e"], "what is a second old has faded")
        self.scrub(page, 0)
        self.scrub(page, 1)
        self.assertEqual(page.evaluate(STEP + STEP + signs), ["~A", "d", "~C", "+e"])
        page.wait_for(f"{signs}.join() === 'A,d,~C,e'", 5)
        self.scrub(page, 2)
        self.assertEqual(page.evaluate(signs), ["~A", "d", ">c", "+e"])

    def test_the_charts_show_the_numbers_of_the_update(self):
        page = self.open(self.feed)
        replay = page.evaluate("JSON.parse(document.getElementById('recording').textContent).replay")
        numbers = "[...document.querySelectorAll('#charts output')].map((one) => one.textContent.replace(' µs', ''))"
        for position in (0, 1, 100, len(messages(self.feed)) - 1):
            self.scrub(page, position)
            cells = [replay["cells"][name][position] for name in ("visible", "pooled", "created", "reused")]
            change = messages(self.feed)[position]
            counts = [0] * 4 if position == 0 else [
                len(change["rows"][kind]) + len(change["sections"][kind]) for kind in ("inserts", "deletes", "moves", "updates")]
            time = replay["microseconds"][position]
            self.assertEqual(page.evaluate(numbers), [f"{number:,}" for number in (*cells, *counts)] + [
                f"{time:,}" if time < 10_000 else f"{int(time / 1_000 + 0.5):,} ms"])
        self.assertEqual(page.evaluate("document.querySelectorAll('#charts svg path').length"), 9)

    def test_a_click_on_a_chart_goes_to_that_update(self):
        page = self.open(self.feed)
        box = page.evaluate("(({ x, y, width, height }) => [x, y, width, height])("
                            "document.querySelector('.plot').getBoundingClientRect())")
        point = {"x": box[0] + box[2] / 2, "y": box[1] + box[3] / 2, "button": "left", "clickCount": 1}
        page.call("Input.dispatchMouseEvent", type="mousePressed", **point)
        page.call("Input.dispatchMouseEvent", type="mouseReleased", **point)
        self.assertEqual(page.evaluate(PLACE), str(len(messages(self.feed)) // 2))

    def test_the_first_row_in_view_stays_in_its_place(self):
        recording = self.path("anchor.jsonl")
        rows = [{"id": f"row {number}"} for number in range(200)]
        new = [{"op": "upsert", "id": f"new {number}", "section": "s", "index": 0} for number in range(7)]
        recordings.script(DEMO, recording, [
            {"op": "replace", "sections": [{"id": "s", "rows": rows}]}, {"op": "batch", "events": new},
            {"op": "delete", "id": "row 5"}])
        page = self.open(recording, "#1", calm=True)
        top = """(() => { const top = document.getElementById('viewport').getBoundingClientRect().top;
          const rows = [...document.querySelectorAll('#lines > .row')].filter((row) => row.getBoundingClientRect().top > top);
          return [rows[0].textContent, Math.round(rows[0].getBoundingClientRect().top - top)]; })()"""
        page.evaluate("document.getElementById('viewport').scrollTop = 1600")
        page.evaluate("new Promise(requestAnimationFrame)")
        before = page.evaluate(top)
        page.evaluate("document.getElementById('forth').click()")
        self.assertEqual(page.evaluate(top), before)
        self.scrub(page, 3)
        self.assertEqual(page.evaluate(top), before)
        self.scrub(page, 1)
        self.assertEqual(page.evaluate(top), before)

    def test_changes_can_be_followed(self):
        recording = self.path("follow.jsonl")
        rows = [{"id": f"row {number}"} for number in range(200)]
        recordings.script(DEMO, recording, [
            {"op": "replace", "sections": [{"id": "s", "rows": rows}]}, {"op": "upsert", "id": "row 150", "title": "changed"}])
        seen = "document.getElementById('lines').textContent.includes('changed')"
        page = self.open(recording, "#1")
        page.press("ArrowRight")
        self.assertFalse(page.evaluate(seen))
        page.press("ArrowLeft")
        page.press("f", "KeyF", "f")
        page.press("ArrowRight")
        page.wait_for(seen)

    def test_a_deleted_row_leaves_a_ghost_that_goes(self):
        recording = self.path("ghost.jsonl")
        recordings.script(DEMO, recording, [
            {"op": "replace", "sections": [{"id": "s", "rows": [{"id": "here"}, {"id": "gone"}]}]},
            {"op": "delete", "id": "gone"}])
        ghosts = "document.getElementById('ghosts').textContent"
        page = self.open(recording, "#1")
        self.assertEqual(page.evaluate(STEP + ghosts), "gone")
        page.wait_for(f"{ghosts} === ''", 5)
        page = self.open(recording, "#1", calm=True)
        self.assertEqual(page.evaluate(STEP + ghosts), "")

    def test_text_stands_out_in_light_and_dark(self):
        def luminance(color):
            parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
            red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue

        for dark in (False, True):
            page = self.open(self.feed, dark=dark)
            color = {name: page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()")
                     for name in ("ground", "panel", "ink", "soft", "accent", "insert", "delete", "move", "update",
                                  "insert-tint", "move-tint", "update-tint")}
            pairs = [(text, ground) for text in ("ink", "soft", "accent") for ground in ("ground", "panel")]
            pairs += [(text, ground) for text in ("ink", "soft") for ground in ("insert-tint", "move-tint", "update-tint")]
            pairs += [(sign, ground) for sign in ("insert", "move", "update") for ground in ("panel", f"{sign}-tint")]
            for text, ground in (*pairs, ("delete", "panel"), ("panel", "accent")):
                light, deep = sorted((luminance(color[text]), luminance(color[ground])), reverse=True)
                self.assertGreaterEqual((light + 0.05) / (deep + 0.05), 4.5, f"{text} on {ground}, dark: {dark}")

    def test_the_log_says_what_an_update_did(self):
        recording = self.path("log.jsonl")
        recordings.script(DEMO, recording, [
            {"op": "batch", "events": [
                *({"op": "upsert", "id": name, "section": "s"} for name in "abcd"), {"op": "upsertSection", "id": "t"}]},
            {"op": "batch", "events": [
                {"op": "delete", "id": "b"}, {"op": "move", "id": "d", "section": "t"},
                {"op": "upsert", "id": "a", "title": "A", "subtitle": "new"}]}])
        page = self.open(recording, "#end")
        log = page.evaluate("""[...document.querySelectorAll("#log > .group")].map((group) => [group.firstChild.textContent,
          ...[...group.querySelectorAll("li")].map((line) => [...line.children].map((part) => part.textContent))])""")
        self.assertEqual([group[0] for group in log], ["#2", "#1", "#0"])
        self.assertEqual(log[0][1:], [
            ["-", "deleteRows [0, 1]", "b"], [">", "moveRow [0, 3] → [1, 0]", "d"], ["~", "reloadRows [0, 0]", "A  new"]])
        page.evaluate("document.querySelectorAll('#log .revision')[1].click()")
        self.assertEqual(page.evaluate(PLACE), "1")

    def test_the_header_of_a_section_says_its_phase(self):
        recording = self.path("phases.jsonl")
        none = {"deletes": [], "inserts": [], "moves": [], "updates": []}
        phases = [None, "loading", {"failed": "no route", "retry": "automatic"}, "loaded", "empty", "idle"]
        lines = [{"kind": "initial", "revision": 0, "sections": [{"id": "s", "title": "S", "rows": []}], "v": 1}]
        for revision, phase in enumerate(phases[1:], 1):
            update = {"from": 0, "to": 0, "title": "S", "phase": phase}
            lines.append({"kind": "changes", "previous": revision - 1, "revision": revision, "rows": none,
                          "sections": {**none, "updates": [update]}, "v": 1})
        recordings.write(recording, "".join(json.dumps(line) + "\n" for line in lines).encode())
        page = self.open(recording)
        for position, words in enumerate(("", "loading…", "no route, retrying", "", "nothing here", "")):
            self.scrub(page, position)
            self.assertEqual(page.evaluate("document.querySelector('#lines .header .phase').textContent"), words)

    def test_what_is_missing_of_a_recording_is_said(self):
        recording = self.path("short.jsonl")
        with open(self.feed, "rb") as file:
            lines = file.readlines()
        source = json.loads(lines[-1])["summary"]["source"]
        whole = f"{len(lines) - 2} updates after the first list · {source['events']} events · {source['rejected']} refused"
        for content, limit, words in ((lines[:5], 9, "4 updates after the first list · no end line: the recording was cut off"),
                                      (lines[:5], 5, "4 updates after the first list · no end line: the recording was cut off"),
                                      (lines[:5], 4, "3 updates after the first list · the recording goes on"),
                                      (lines, len(lines) - 1, whole)):
            recordings.write(recording, b"".join(content))
            page = self.browser.open(self.page(recording, "--max-updates", str(limit)))
            self.assertEqual(page.evaluate("document.getElementById('facts').textContent"), words)
            page.close()

    def test_hostile_text_is_text(self):
        recording = self.path("hostile.jsonl")
        recordings.script(DEMO, recording, recordings.hostile())
        page = self.open(recording)
        for position in range(len(messages(recording))):
            self.scrub(page, position)
        self.assert_shows(page, recording, None)
        self.scrub(page, 1)
        self.assert_shows(page, recording, 2)
        self.assertEqual(page.evaluate("document.title"), "hostile.jsonl · Rowcast")
        self.assertEqual(page.evaluate("document.querySelectorAll('img, iframe, style ~ style').length"), 0)

    def test_a_long_list_with_a_long_history_stays_quick(self):
        recording = self.path("large.jsonl")
        recordings.large(recording)
        start = time.monotonic()
        output = self.page(recording)
        wrote = time.monotonic() - start
        page = self.browser.open(output, "#end")
        self.addCleanup(page.close)
        self.addCleanup(self.assert_quiet, page)
        page.wait_for("performance.getEntriesByName('first-contentful-paint').length === 1")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        last = page.evaluate("Number(document.getElementById('scrub').max)")
        self.assertEqual(last, 5_000)
        shown = page.evaluate("document.querySelectorAll('#viewport *').length")
        self.assertLess(shown, 400, "only what is in view exists")
        times = page.evaluate("""(async () => {
          const scrub = document.getElementById("scrub");
          const times = [];
          for (let step = 0; step < 60; step++) {
            scrub.value = (5000 - step * 83) % 5001;
            const start = performance.now();
            scrub.dispatchEvent(new Event("input"));
            times.push(performance.now() - start);
            await new Promise(requestAnimationFrame);
          }
          return times.sort((a, b) => a - b);
        })()""")
        print(f"10,000 rows, 5,000 updates: page of {os.path.getsize(output) / 1e6:.1f} MB written in {wrote:.1f} s, "
              f"first paint {paint:.0f} ms, scrubbing p50 {times[30]:.1f} ms, longest {times[-1]:.1f} ms", file=sys.stderr)
        self.assertLess(paint, 10_000)
        self.assertLess(times[-1], 1_000)
        self.scrub(page, last // 2)
        expected = folded(messages(recording), last // 2 + 1).lines
        for top in (0, 5_000, 10_000):
            seen = page.evaluate(f"""(async () => {{
              const viewport = document.getElementById("viewport");
              viewport.scrollTop = viewport.scrollHeight / {len(expected)} * {top};
              await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
              return [...document.querySelectorAll("#lines > .row")].map((row) =>
                [Number(row.getAttribute("aria-rowindex")), row.querySelector(".title").textContent]);
            }})()""")
            self.assertGreater(len(seen), 15)
            for index, title in seen:
                self.assertEqual(title, expected[index - 1][1])

    def test_without_scripts_the_page_says_what_it_needs(self):
        page = self.browser.open(self.page(self.feed), scripts=False)
        self.addCleanup(page.close)
        document = page.call("DOM.getDocument")["root"]["nodeId"]
        notice = page.call("DOM.querySelector", nodeId=document, selector=".notice")["nodeId"]
        self.assertIn("needs JavaScript", page.call("DOM.getOuterHTML", nodeId=notice)["outerHTML"])

    def test_markup_that_got_in_all_the_same_could_do_nothing(self):
        page = self.browser.open(self.page(self.feed))
        self.addCleanup(page.close)
        done = page.evaluate("""(async () => {
          const markup = "<img src='data:,x' onerror='window.done = 1'><script>window.done = 2<\/script>";
          document.body.insertAdjacentHTML("beforeend", markup);
          const broken = new Promise((done) => document.querySelector("img").addEventListener("error", done));
          const script = document.createElement("script");
          script.textContent = "window.done = 3";
          document.body.append(script);
          const fetched = await fetch(location.href).then(() => true, () => false);
          await broken;
          return [window.done ?? 0, fetched];
        })()""")
        self.assertEqual(done, [0, False])

    def test_the_name_of_the_recording_is_text(self):
        recording = self.path("<b>&amp;\u202e.jsonl")
        recordings.feed(DEMO, recording)
        page = self.open(recording)
        self.assertEqual(page.evaluate("document.getElementById('name').textContent"), "<b>&amp;\u202e.jsonl")

    def test_the_whole_list_may_come_again(self):
        recording = self.path("again.jsonl")
        recordings.script(DEMO, recording, recordings.walk(seed=4, length=40))
        with open(self.feed, "rb") as file:
            feed = file.readlines()
        with open(recording, "rb") as file:
            beginning = file.readlines()[:-1]
        with open(recording, "wb") as file:
            file.writelines(beginning)
            # As later messages of the same list: a recording is of one.
            for line in feed[:60]:
                message = json.loads(line)
                message["epoch"] = json.loads(beginning[0])["epoch"]
                for revision in ("revision", "previous"):
                    if revision in message:
                        message[revision] += 1_000
                file.write(json.dumps(message).encode() + b"\n")
        page = self.open(recording)
        last = len(messages(recording)) - 1
        for position in (last, last - 60, last - 59, last - 58, last):
            self.scrub(page, position)
            self.assert_shows(page, recording, position + 1)

    def test_nothing_is_wider_than_the_window(self):
        recording = self.path("wide.jsonl")
        recordings.script(DEMO, recording, recordings.hostile())
        for size in ((1280, 800), (390, 844), (320, 480), (2000, 1200)):
            page = self.open(recording, "#end", size=size)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), size[0])


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        DEMO = os.path.abspath(sys.argv.pop(1))
    if not shutil.which("tsc"):
        print("page: NO TYPESCRIPT on this machine; the types of the browser module are NOT CHECKED", file=sys.stderr)
    if not browser.executable():
        print("page: NO BROWSER on this machine; the tests in a browser are SKIPPED", file=sys.stderr)
    unittest.main()

"""The checks of the documentation see the faults that they are for.

    python3 Tests/Documentation/check_tests.py FOLDER

FOLDER holds what was built, as `swift build --show-bin-path` prints it.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import examples
import interface
import links
import symbols
from pages import ROOT

PRODUCTS = None
STATEMENTS = "<!-- statements -->\n"
ROW = "struct Row: RowViewModel { let id: Int }\n"


def code(text):
    return f"```swift\n{text}\n```\n\n"


def text(text):
    return f"<!-- prints -->\n```text\n{text}\n```\n"


class PageTests(unittest.TestCase):
    def failure(self, page):
        """What the check says of a page; nothing if the page is in order."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
            path = os.path.join(folder, "Page.md")
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
            with contextlib.redirect_stdout(io.StringIO()):
                return "" if examples.check(PRODUCTS, [path]) else said.getvalue()

    def test_a_page_that_is_in_order_passes(self):
        self.assertEqual(self.failure(
            code("import Rowcast\n" + ROW) + "<!-- statements\nlet word = \"hidden\"\n-->\n"
            + code("let rows = [Row(id: 1)]\nprint(word, rows.count)") + text("hidden 1")
            + "<!-- continued -->\n" + code("print(rows[0].id)") + text("1")
            + "<!-- endless -->\n" + code("while true { await Task.yield() }")), "")

    def test_code_that_does_not_compile(self):
        self.assertIn("cannot find 'missing'", self.failure(code("let value = missing")))

    def test_a_question_that_does_not_compile_or_has_no_code(self):
        table = ("func ask(_ question: String, _ rows: Int) async throws { print(question, rows) }", "| asked | code |\n|---|---|\n")
        page = code(table[0]) + "<!-- asks -->\n" + table[1]
        self.assertEqual(self.failure(page + "| how \\| `many` | `1` |\n"), "")
        self.assertIn("cannot find 'missing'", self.failure(page + "| how many | `missing` |\n"))
        self.assertIn("a question without code", self.failure(page + "| how many | 1 |\n"))
        self.assertIn("questions without a table", self.failure(code(table[0]) + "<!-- asks -->\n\n" + table[1]))

    def test_a_warning(self):
        self.assertIn("never mutated", self.failure(STATEMENTS + code("var one = 1\nprint(one)")))

    def test_a_race(self):
        box = "final class Box { var value = 0 }\n"
        race = box + "func race() async {\n  let box = Box()\n  async let one = box.value\n  box.value = 2\n  _ = await one\n}"
        self.assertIn("data race", self.failure(code(race)))

    def test_what_is_not_public(self):
        self.assertIn("cannot find 'ListDraft'", self.failure(code("import RowcastModel\nlet draft = ListDraft<Int, Int>.self")))

    def test_an_error_names_the_line_of_the_page(self):
        self.assertIn("Page.md:4:", self.failure("A page.\n\n```swift\nlet value = missing\n```\n"))

    def test_output_that_is_another(self):
        self.assertIn("prints\n3", self.failure(STATEMENTS + code("print(1 + 2)") + text("4")))

    def test_a_program_that_throws(self):
        self.assertIn("ended with", self.failure(STATEMENTS + code("throw CancellationError()")))

    def test_output_of_nothing(self):
        self.assertIn("does nothing that prints", self.failure(code(ROW) + text("1")))

    def test_a_test_that_fails(self):
        self.assertIn("Expectation failed", self.failure(code("import Testing\n@Test func wrong() { #expect(1 + 1 == 3) }")))

    def test_a_test_that_must_fail_and_does_not(self):
        right = code("import Testing\n@Test func right() { #expect(1 + 1 == 2) }")
        self.assertIn("does not fail", self.failure("<!-- fails Expectation failed -->\n" + right))
        wrong = code("import Testing\n@Test func wrong() { #expect(1 + 1 == 3) }")
        self.assertIn("does not fail with “other words”", self.failure("<!-- fails other words -->\n" + wrong))
        self.assertEqual(self.failure("<!-- fails Expectation failed -->\n" + wrong), "")

    def test_code_for_a_screen(self):
        view = "import Rowcast\nimport UIKit\n\n@MainActor func show(_ table: UITableView) { table.%s }"
        self.assertEqual(self.failure(code(view % "reloadData()")), "")
        self.assertIn("has no member", self.failure(code(view % "reloadEverything()")))

    def test_a_file_of_a_package(self):
        marked = "<!-- file Sources/app/main.swift -->\n"
        self.assertEqual(self.failure(marked + code("print(1)") + text("1") + STATEMENTS + code("print(2)") + text("2")), "")
        self.assertIn("prints\n1", self.failure(marked + code("print(1)") + text("2")))
        manifest = "// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(%s: \"app\")"
        self.assertEqual(self.failure("<!-- file Package.swift -->\n" + code(manifest % "name")), "")
        self.assertIn("incorrect labels", self.failure("<!-- file Package.swift -->\n" + code(manifest % "nome")))

    def test_marks_that_make_no_sense(self):
        self.assertIn("a marker without a fence", self.failure("A page.\n\n" + STATEMENTS))
        self.assertIn("two markers", self.failure(STATEMENTS + STATEMENTS + code("print(1)")))
        self.assertIn("nothing to go on with", self.failure("<!-- continued -->\n" + code("print(1)")))
        self.assertIn("statements that are no Swift", self.failure(STATEMENTS + "```text\n1\n```\n"))
        self.assertIn("a fence without an end", self.failure("```swift\nlet one = 1\n"))
        self.assertIn("a fence that is indented", self.failure("- A list.\n\n  ```swift\n  let one = 1\n  ```\n"))


class LinkTests(unittest.TestCase):
    def failures(self, page, name="Guarantees.md", names=("a test",)):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
            return list(links.check(path, set(names)))

    GUARANTEES = "## What it guarantees\n\n| promise | test |\n|---|---|\n| It holds | `a test` |\n\n"
    FIGURES = "## Speed\n\n| rows | time |\n|---|---|\n| 20 | 0.5 ms |\n\n"

    def test_a_page_that_is_in_order_passes(self):
        head = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
        origin = f"Made by `demo bench` at commit\n`{head}`.\n"
        page = "[here](#speed) [there](https://a.b) [it](Guarantees.md)\n" + self.GUARANTEES + self.FIGURES + origin
        self.assertEqual(self.failures(page), [])

    def test_a_name_that_no_test_has(self):
        self.assertEqual(self.failures(self.GUARANTEES, names=("another",)), ["no test has the name `a test`"])
        self.assertEqual(self.failures(self.GUARANTEES.replace("`", "")), [])
        self.assertEqual(self.failures(self.GUARANTEES.replace("`a test`", "tested")), ["no test has the name `tested`"])

    def test_a_page_without_guarantees(self):
        self.assertEqual(self.failures("## Speed\n"), ["no table of guarantees"])

    def test_links_to_nothing(self):
        page = self.GUARANTEES + "[a](missing.md) [b](#missing) ![c](missing.png) `Tests/missing`"
        self.assertEqual(
            self.failures(page), ["no file missing.md", "no heading #missing", "no file missing.png", "no file Tests/missing"])

    def test_figures_of_unknown_origin(self):
        self.assertEqual(self.failures(self.FIGURES, "Page.md"), ["“Speed” has figures, and no command at a commit"])
        if links.has_history():
            page = self.FIGURES + "`demo bench` at commit `0123456789abcdef`"
            self.assertEqual(self.failures(page, "Page.md"), ["“Speed”: no commit 0123456789abcdef"])

    def test_the_names_of_all_tests_are_found(self):
        self.assertIn("test_links_to_nothing", links.tests())
        self.assertGreater(len(links.tests()), 500)


class SymbolTests(unittest.TestCase):
    """A module with one structure of one member, as `swift symbolgraph-extract` and DocC tell of it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        comment = {"lines": [{"text": "A row."}]}
        self.symbols = [self.symbol("s:1", ["Row"], "struct Row", comment), self.symbol("s:2", ["Row", "id"], "let id: Int", comment)]
        self.relationships = []
        self.topics = {"Rowcast": ["RowcastModel/Row"], "RowcastModel": []}
        self.topics |= {"RowcastModel/Row": ["RowcastModel/Row/id"], "RowcastModel/Row/id": []}

    def symbol(self, identifier, path, declaration, comment):
        return {"identifier": {"precise": identifier}, "pathComponents": path, "docComment": comment,
                "declarationFragments": [{"spelling": declaration}]}

    def write(self):
        with open(os.path.join(self.folder.name, "RowcastModel.symbols.json"), "w", encoding="utf-8") as file:
            json.dump({"module": {"name": "RowcastModel"}, "symbols": self.symbols, "relationships": self.relationships}, file)
        root = "doc://rowcast/documentation/"
        for page, topics in self.topics.items():
            path = os.path.join(self.folder.name, "data/documentation", page.lower() + ".json")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            kind = "symbol" if "/" in page else "module"
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"identifier": {"url": root + page}, "metadata": {"symbolKind": kind},
                           "topicSections": [{"identifiers": [root + topic for topic in topics]}]}, file)
        return self.folder.name

    def failures(self):
        folder = self.write()
        return symbols.check(folder, folder)

    def test_symbols_that_are_in_order_pass(self):
        self.assertEqual(self.failures(), [])

    def test_a_symbol_without_a_comment(self):
        del self.symbols[1]["docComment"]
        self.assertEqual(self.failures(), ["without a comment: RowcastModel.Row.id"])

    def test_a_symbol_that_fulfils_a_protocol_needs_no_comment(self):
        del self.symbols[1]["docComment"]
        self.relationships = [{"kind": "memberOf", "source": "s:2", "target": "s:1", "sourceOrigin": {}}]
        self.assertEqual(self.failures(), [])

    def test_a_type_that_no_topics_reach(self):
        self.topics["Rowcast"] = []
        self.assertEqual(self.failures(), ["reached by no Topics: RowcastModel/Row", "reached by no Topics: RowcastModel/Row/id"])

    def test_the_interface_tells_what_is_gone_and_what_is_new(self):
        before = interface.interface(self.write())
        self.assertEqual(before, {"RowcastModel": ["Row  struct Row", "Row.id  let id: Int"]})
        self.symbols[1]["declarationFragments"] = [{"spelling": "let id: String"}]
        self.relationships = [{"kind": "conformsTo", "source": "s:1", "target": "s:SQ", "targetFallback": "Swift.Equatable"}]
        self.assertEqual(list(interface.differences(before, interface.interface(self.write()))), [
            "- RowcastModel.Row.id  let id: Int", "+ RowcastModel.Row  : Swift.Equatable", "+ RowcastModel.Row.id  let id: String"])
        self.assertEqual(list(interface.differences(before, before)), [])


if __name__ == "__main__":
    PRODUCTS = sys.argv.pop(1)
    unittest.main()

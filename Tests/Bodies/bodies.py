"""An incremental debug build sees a change of a function's body, wherever that function is compiled.

    python3 Tests/Bodies/bodies.py

After `swift build --build-tests`, which `swift test` does. Changes a function of each room below, builds, runs tests that call them,
and undoes the changes.
"""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

# Functions that optimised programs compile for themselves, each with a text that occurs once in its file and ends at its body.
FUNCTIONS = {
    "RowcastDiff/Matching/Matching.swift": "after: (GapOffset, Int) -> Position\n  ) {\n    self.init()\n",
    "RowcastModel/Snapshot/ListSnapshot+Changes.swift":
        "static func changes(from before: ListSnapshot, to after: ListSnapshot) -> ListChanges {\n",
    "RowcastStore/StoreCore.swift": "func wakeWaiters() {\n",
    "RowcastViews/Operators/Placement/Placement.swift": "others: [RowPath] = [], _ transform: Transform\n  ) {\n",
}
CALLERS = "RowcastViewsTests.ArrangedListTests"


def build():
    result = subprocess.run(["swift", "build", "--build-tests"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        sys.exit(result.stdout)


def seen():
    """The rooms whose changed functions are called."""
    products = subprocess.check_output(["swift", "build", "--show-bin-path"], cwd=ROOT, text=True).strip()
    result = subprocess.run(
        [os.path.join(products, "rowcastPackageTests.xctest"), "--testing-library", "swift-testing", "--filter", CALLERS],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if result.returncode or "passed" not in result.stdout:
        sys.exit(result.stdout)
    return {path.split("/")[0] for path in FUNCTIONS if f"changed: {path}" in result.stdout}


def main():
    texts = {path: open(os.path.join(ROOT, "Sources", path), encoding="utf-8").read() for path in FUNCTIONS}
    for path, function in FUNCTIONS.items():
        if texts[path].count(function) != 1:
            sys.exit(f"Sources/{path} has {texts[path].count(function)} functions {function!r}; name another one in FUNCTIONS")

    def write(texts):
        for path, text in texts.items():
            with open(os.path.join(ROOT, "Sources", path), "w", encoding="utf-8") as file:
                file.write(text)

    try:
        write({path: text.replace(FUNCTIONS[path], f'{FUNCTIONS[path]}    print("changed: {path}")\n') for path, text in texts.items()})
        build()
        rooms = seen()
    finally:
        write(texts)
    build()
    missing = {path.split("/")[0] for path in FUNCTIONS} - rooms
    if missing:
        sys.exit(f"tests run the old bodies of functions of {', '.join(sorted(missing))}: see Tests in .github/CONTRIBUTING.md")
    if left := seen():
        sys.exit(f"tests go on with the changed bodies of functions of {', '.join(sorted(left))}")
    print("bodies: tests run what was changed in " + ", ".join(sorted(rooms)))


main()

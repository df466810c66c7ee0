"""What README, catalog and CONTRIBUTING name is there: files, headings, tests, and the commits of their figures.

    python3 Tests/Documentation/links.py [PAGE …]

The figures of a section stand in a table. The section names the command and the commit that made them: `demo bench` at commit
`0123abc`. The page of guarantees has a table as well: the last cell of a row names the tests that prove it.
"""

import glob
import os
import re
import subprocess
import sys

from pages import CATALOG, FENCE, ROOT, pages, read

LINK = re.compile(r"\]\(<?([^)\s>]+)>?[^)]*\)")
PLACE = re.compile(r"`((?:Sources|Tests|Demo|\.ci)/[\w+./-]*)`")
HEADING = re.compile(r"^(#+) +(.*?)\s*$", re.MULTILINE)
ROWS = re.compile(r"^\|.*\|\s*$", re.MULTILINE)
ORIGIN = re.compile(r"`[^`]+`[^`]{0,80}?\bcommit\s+`([0-9a-f]{7,40})`")


def plain(text):
    """The text without its fences and comments: what they hold is not for readers of links."""
    return re.sub(r"<!--.*?-->", "", FENCE.sub("", text), flags=re.DOTALL)


def sections(text):
    """Titles, and what stands between a heading and the next."""
    parts = HEADING.split("# \n" + text)
    return list(zip(parts[2::3], parts[3::3]))


def cells(row):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def rows(section):
    """The rows of a section's tables below their heads."""
    lines = ROWS.findall(section)
    return [cells(line) for index, line in enumerate(lines)
            if not re.fullmatch(r"[|:\- ]+", line.strip())
            and not (index + 1 < len(lines) and re.fullmatch(r"[|:\- ]+", lines[index + 1].strip()))]


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def tests():
    """The names of all tests, in Swift and in Python."""
    found = set()
    for path in glob.glob(os.path.join(ROOT, "Tests/**/*.swift"), recursive=True):
        found.update(name for pair in re.findall(r'\bfunc\s+`([^`]+)`|@(?:Test|Suite)\("([^"]+)"', read(path)) for name in pair)
    for path in glob.glob(os.path.join(ROOT, "Tests/**/*.py"), recursive=True):
        found.update(re.findall(r"\bdef (test_\w+)", read(path)))
    return found


def broken_links(page, text):
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        place = os.path.join(os.path.dirname(page), path) if path else page
        if not os.path.exists(place):
            # In the catalog DocC finds pictures by their names.
            if not page.startswith(CATALOG):
                yield f"no file {path}"
        elif fragment and fragment not in {anchor(title) for title, _ in sections(plain(read(place)))}:
            yield f"no heading #{fragment}" + (f" in {path}" if path else "")
    for path in PLACE.findall(text):
        if not os.path.exists(os.path.join(ROOT, path)):
            yield f"no file {path}"


def unproven(text, names):
    found = [section for title, section in sections(text) if "guarantee" in title.lower()]
    if not any(rows(section) for section in found):
        yield "no table of guarantees"
    for row in (row for section in found for row in rows(section)):
        # A name may stand in the cell as it is, if it is the only one.
        proofs = re.findall(r"`([^`]+)`|“([^”]+)”", row[-1])
        proofs = [name for pair in proofs for name in pair if name] or [row[-1]]
        for proof in proofs:
            if proof not in names and not ("/" in proof and os.path.exists(os.path.join(ROOT, proof))):
                yield f"no test has the name `{proof}`"


def is_figure(cell):
    return re.match(r"[<≤≥~±]?\s?\d", cell) is not None


def unfounded(text):
    """Sections with figures whose origin is not told, or is no commit."""
    for title, section in sections(text):
        if not any(is_figure(cell) for row in rows(section) for cell in row[1:]):
            continue
        commits = ORIGIN.findall(section)
        if not commits:
            yield f"“{title}” has figures, and no command at a commit"
        for commit in commits:
            if has_history() and subprocess.run(["git", "-C", ROOT, "cat-file", "-e", commit + "^{commit}"],
                                                stderr=subprocess.DEVNULL).returncode:
                yield f"“{title}”: no commit {commit}"


def has_history():
    answer = subprocess.run(["git", "-C", ROOT, "rev-parse", "--is-shallow-repository"], capture_output=True, text=True)
    return answer.stdout.strip() == "false"


def check(page, names):
    text = plain(read(page))
    yield from broken_links(page, text)
    yield from unfounded(text)
    if os.path.basename(page) == "Guarantees.md":
        yield from unproven(text, names)


if __name__ == "__main__":
    if not has_history():
        print("no history here: commits of figures are not looked up")
    names = tests()
    chosen = [os.path.abspath(path) for path in sys.argv[1:]] or [*pages(), os.path.join(ROOT, ".github/CONTRIBUTING.md")]
    failures = [f"{os.path.relpath(page, ROOT)}: {failure}"
                for page in chosen for failure in check(page, names)]
    print(*failures, sep="\n", end="\n" if failures else "", file=sys.stderr)
    sys.exit(1 if failures else 0)

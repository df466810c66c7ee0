"""Every public symbol has a comment, and the landing page reaches it.

    python3 Tests/Documentation/symbols.py GRAPHS DOCUMENTATION

GRAPHS are the symbol graphs, DOCUMENTATION is what `docc convert` has made of them.
"""

import glob
import json
import os
import sys

import graphs

LANDING = "doc://rowcast/documentation/Rowcast"


def without_comment(folder):
    """Symbols without a comment, other than those that fulfil a protocol from elsewhere, such as `==`."""
    for graph in graphs.load(folder):
        inherited = {link["source"] for link in graph["relationships"] if "sourceOrigin" in link}
        for symbol in graph["symbols"]:
            lines = symbol.get("docComment", {}).get("lines", [])
            told = any(line["text"].strip() for line in lines)
            if graphs.is_written(symbol) and not told and symbol["identifier"]["precise"] not in inherited:
                yield graphs.name(graph, symbol)


def rendered(documentation):
    """The pages that DocC has made, by their addresses: articles, and symbols."""
    found = {}
    for path in glob.glob(os.path.join(documentation, "data/documentation/**/*.json"), recursive=True):
        with open(path, encoding="utf-8") as file:
            page = json.load(file)
        found[page["identifier"]["url"]] = page
    if LANDING not in found:
        raise SystemExit(f"no landing page in {documentation}")
    return found


def unreached(documentation):
    """Pages to which no path of Topics leads."""
    found = rendered(documentation)
    reached = set()
    ahead = [LANDING]
    while ahead:
        address = ahead.pop()
        if address in reached:
            continue
        reached.add(address)
        page = found.get(address, {})
        for list in ("topicSections", "defaultImplementationsSections"):
            ahead += [address for section in page.get(list, []) for address in section["identifiers"]]
    for address, page in sorted(found.items()):
        # A module is a root of its own; its symbols hang on the landing page as well.
        if address not in reached and page["metadata"].get("symbolKind") != "module":
            yield address.removeprefix("doc://rowcast/documentation/")


def check(folder, documentation):
    missing = [f"without a comment: {name}" for name in without_comment(folder)]
    missing += [f"reached by no Topics: {page}" for page in unreached(documentation)]
    return missing


if __name__ == "__main__":
    failures = check(*sys.argv[1:])
    print(*failures, sep="\n", end="\n" if failures else "", file=sys.stderr)
    sys.exit(1 if failures else 0)

"""The symbol graphs of the package's modules, as `swift symbolgraph-extract` writes them."""

import glob
import json
import os


def load(folder):
    graphs = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            graphs.append(json.load(file))
    if not graphs:
        raise SystemExit(f"no symbol graphs in {folder}")
    return graphs


def is_written(symbol):
    """Whether somebody wrote the symbol: the compiler makes some, and repeats those that a type has from a protocol."""
    return "::SYNTHESIZED::" not in symbol["identifier"]["precise"]


def name(graph, symbol):
    return ".".join([graph["module"]["name"], *symbol["pathComponents"]])

"""The public interface of the package, a file of declarations for each module, in Tests/Documentation/API.

    python3 Tests/Documentation/interface.py GRAPHS            compares what is built with what is recorded
    python3 Tests/Documentation/interface.py GRAPHS --record   records it
"""

import collections
import glob
import itertools
import os
import re
import sys

import graphs

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
RECORDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "API")
# What nearly every type is, and what follows from others.
IMPLIED = ("Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype")
RELATIONS = {"conformance": ":", "superclass": ":", "sameType": "=="}


def constraints(symbol):
    """The conditions of the extension that a symbol stands in, which its declaration does not repeat."""
    found = symbol.get("swiftExtension", {}).get("constraints", [])
    texts = sorted(f"{each['lhs']} {RELATIONS[each['kind']]} {each['rhs']}" for each in found)
    return f"  [where {', '.join(texts)}]" if texts else ""


def interface(folder):
    """The declarations of each module, sorted."""
    modules = collections.defaultdict(set)
    for graph in graphs.load(folder):
        lines = modules[graph["module"]["name"]]
        names = {}
        for symbol in filter(graphs.is_written, graph["symbols"]):
            names[symbol["identifier"]["precise"]] = path = ".".join(symbol["pathComponents"])
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            lines.add(f"{path}  {' '.join(text.split())}{constraints(symbol)}")
        for link in graph["relationships"]:
            if link["kind"] in ("conformsTo", "inheritsFrom") and link["source"] in names:
                target = names.get(link["target"]) or link.get("targetFallback", link["target"])
                if target in IMPLIED:
                    continue
                conditions = constraints({"swiftExtension": {"constraints": link.get("swiftConstraints", [])}})
                lines.add(f"{names[link['source']]}  : {target}{conditions}")
    return {module: sorted(lines) for module, lines in modules.items() if lines}


def recorded():
    found = {}
    for path in glob.glob(os.path.join(RECORDS, "*.txt")):
        with open(path, encoding="utf-8") as file:
            found[os.path.splitext(os.path.basename(path))[0]] = file.read().splitlines()
    return found


def record(built):
    os.makedirs(RECORDS, exist_ok=True)
    for module in recorded().keys() - built.keys():
        os.remove(os.path.join(RECORDS, module + ".txt"))
    for module, lines in built.items():
        with open(os.path.join(RECORDS, module + ".txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def differences(old, new):
    """What was there and is not, which breaks who uses it; and what is new."""
    for module in sorted(old.keys() | new.keys()):
        before, after = set(old.get(module, [])), set(new.get(module, []))
        yield from (f"- {module}.{line}" for line in sorted(before - after))
        yield from (f"+ {module}.{line}" for line in sorted(after - before))


# Each asynchronous call is compiled from everywhere by the first, and made by the others, which see where its caller is afterwards.
CALLERS = ("Tests/Mistakes/right/*.swift", "Tests/CallerActorTests/*.swift")


def is_asynchronous(declaration):
    """Whether a function, and not an argument of it, is asynchronous. One of an actor of its own calls nobody back elsewhere."""
    if not re.search(r"\b(func|init)\b", declaration):
        return "get async" in declaration
    depth = 0
    for index, character in enumerate(declaration):
        depth += (character == "(") - (character == ")")
        # Behind the parameters, not behind an attribute with parentheses.
        if character == ")" and depth == 0 and re.search(r"\b(func|init)\b", declaration[:index]):
            return declaration[index + 1:].startswith(" async")
    return False


def uncalled(interface):
    """Public asynchronous members whose names are in no file of the callers."""
    for pattern in CALLERS:
        text = ""
        for path in glob.glob(os.path.join(ROOT, pattern)):
            with open(path, encoding="utf-8") as file:
                text += file.read()
        for line in itertools.chain(*interface.values()):
            name, declaration = line.split("  ", 1)
            base = name.split("(")[0].split(".")[-1]
            # Deprecated ones warn; those of the main actor stay on it.
            known = base == "rearrange" or "@MainActor" in declaration or re.search(rf"\b{base}\b", text)
            if is_asynchronous(declaration) and not known:
                yield f"{pattern} have no call of {name}"


if __name__ == "__main__":
    built = interface(sys.argv[1])
    if sys.argv[2:] == ["--record"]:
        record(built)
        sys.exit(0)
    if missing := list(uncalled(built)):
        sys.exit("\n".join(missing))
    found = list(differences(recorded(), built))
    if found:
        print(*found, sep="\n", file=sys.stderr)
        gone = sum(line.startswith("-") for line in found)
        print(f"the public interface is not the recorded one: {gone} declarations are gone, {len(found) - gone} are new; "
              "what is meant is recorded by .ci/run record", file=sys.stderr)
    sys.exit(1 if found else 0)

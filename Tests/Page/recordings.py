"""Recordings to try pages with."""

import json
import random
import subprocess

HOSTILE = [
    "</script><script>document.title = 'taken over'</script>",
    "<img src=x onerror=\"document.title = 'taken over'\">",
    "<!--<script>",
    "]]></style><style>*{display:none}</style>",
    "line\u2028separator\u2029and\nnew\r\n\tline",
    "\u202eright to left\u2066",
    "\x1b[2J\x1b]0;x\x07\x9b31m",
    "%NONCE%%RECORDING%",
    "${alert(1)}`\\u003c",
    "&lt;b&gt; &amp; '\"",
    "a\u0000b",
    "🏳️‍🌈 é ☺️ 流れるリスト",
]


def feed(demo, path, seed=7):
    """The simulated feed, the same each time."""
    write(path, subprocess.run(
        [demo, "feed", "--seed", str(seed), "--json", "--lockstep"], check=True, capture_output=True).stdout)


def script(demo, path, events):
    """What the demo makes of some events."""
    lines = "".join(json.dumps(event) + "\n" for event in events)
    write(path, subprocess.run(
        [demo, "stdin", "--json", "--lockstep", "--quiet"], input=lines.encode(), check=True, capture_output=True).stdout)


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def walk(seed, length):
    """Events at random: rows and sections come, go, move and change, one by one and many at once."""
    chance = random.Random(seed)
    ids = [f"r{number}" for number in range(60)]
    sections = [f"s{number}" for number in range(5)]
    yield {"op": "batch", "events": [{"op": "upsertSection", "id": section} for section in sections]}
    yield {"op": "batch", "events": [
        {"op": "upsert", "id": one, "section": chance.choice(sections), "title": f"row {one}"} for one in ids[:40]]}
    for step in range(length):
        event = chance.random()
        one, section = chance.choice(ids), chance.choice(sections)
        if event < 0.3:
            yield {"op": "upsert", "id": one, "section": section, "title": f"row {one} at {step}", "index": 0}
        elif event < 0.5:
            yield {"op": "upsert", "id": one, "section": section, "kind": chance.choice(["text", "image"]),
                   "subtitle": str(step)}
        elif event < 0.7:
            yield {"op": "delete", "id": one}
        elif event < 0.8:
            yield {"op": "move", "id": one, "section": section}
        elif event < 0.88:
            yield {"op": "moveSection", "id": section, "index": chance.randrange(3)}
        elif event < 0.91:
            yield {"op": "deleteSection", "id": section}
        elif event < 0.96:
            yield {"op": "upsertSection", "id": section, "title": f"section {section} at {step}", "index": 0}
        else:
            kept = chance.sample(ids, 30)
            yield {"op": "replace", "sections": [
                {"id": section, "rows": [{"id": row, "title": f"replaced {row}"} for row in kept[index::5]]}
                for index, section in enumerate(chance.sample(sections, 5))]}


def hostile():
    """Events whose every text tries to be more than text."""
    yield {"op": "batch", "events": [
        {"op": "upsert", "id": text, "section": text, "title": text, "subtitle": text, "kind": text} for text in HOSTILE]}
    for name in ("__proto__", "constructor", "toString"):
        yield {"op": "upsert", "id": name, "section": name, "title": name}
    yield {"op": "upsert", "id": "long", "section": "long", "title": "x" * 1_000_000}
    for text in HOSTILE:
        yield {"op": "move", "id": text, "section": "__proto__", "index": 0}
    yield {"op": "delete", "id": HOSTILE[0]}


def large(path, rows=10_000, updates=5_000, seed=3):
    """A long list with a long history, written as the demo would."""
    chance = random.Random(seed)
    numbers = list(range(rows))

    def row(number, version):
        return {"id": f"row-{number}", "kind": "text", "subtitle": f"version {version}", "title": f"row {number:,}"}

    none = {"deletes": [], "inserts": [], "moves": [], "updates": []}
    sections = [{"id": "all", "rows": [row(number, 0) for number in numbers], "title": "All"}]
    lines = [{"kind": "initial", "revision": 0, "sections": sections, "v": 1}]
    count, fresh = rows, rows
    for revision in range(1, updates + 1):
        change = {**none}
        event = chance.random()
        if event < 0.25:
            change["inserts"] = [{"at": [0, chance.randrange(count + 1)], "row": row(fresh, revision)}]
            count, fresh = count + 1, fresh + 1
        elif event < 0.5:
            change["deletes"] = [[0, chance.randrange(count)]]
            count -= 1
        else:
            change["moves"] = [{"from": [0, chance.randrange(count)], "to": [0, chance.randrange(count)]}]
        lines.append({"kind": "changes", "previous": revision - 1, "revision": revision, "rows": change,
                      "sections": none, "v": 1})
    write(path, "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines).encode())

"""A second reading of the wire form: the list that a recording leads to, folded position by position."""

import copy
import json


class Fold:
    """The list after some messages: sections as they stand in the messages, each with its rows."""

    def __init__(self):
        self.sections = []

    def take(self, message):
        if message["kind"] == "initial":
            self.sections = copy.deepcopy(message["sections"])
        elif message["kind"] == "changes":
            self.change(message["sections"], message["rows"])
        return self

    def change(self, sections, rows):
        travellers, movers = {}, {}
        for path in sorted(rows["deletes"] + [move["from"] for move in rows["moves"]], reverse=True):
            travellers[tuple(path)] = self.sections[path[0]]["rows"].pop(path[1])
        for index in sorted(sections["deletes"] + [move["from"] for move in sections["moves"]], reverse=True):
            movers[index] = self.sections.pop(index)
        arrivals = [(insert["at"], copy.deepcopy(insert["section"])) for insert in sections["inserts"]]
        arrivals += [(move["to"], movers[move["from"]]) for move in sections["moves"]]
        for index, section in sorted(arrivals, key=lambda arrival: arrival[0]):
            self.sections.insert(index, section)
        arrivals = [(insert["at"], insert["row"]) for insert in rows["inserts"]]
        arrivals += [(move["to"], travellers[tuple(move["from"])]) for move in rows["moves"]]
        for path, row in sorted(arrivals, key=lambda arrival: arrival[0]):
            self.sections[path[0]]["rows"].insert(path[1], row)
        for update in sections["updates"]:
            kept = {key: self.sections[update["to"]][key] for key in ("id", "rows")}
            content = {key: value for key, value in update.items() if key not in ("from", "to")}
            self.sections[update["to"]] = {**content, **kept}
        for update in rows["updates"]:
            section, row = update["to"]
            self.sections[section]["rows"][row] = update["row"]

    @property
    def lines(self):
        """What a page shows, line by line: a header's title and row count, a row's title, kind and subtitle."""
        lines = []
        for section in self.sections:
            lines.append(["header", section["title"], f"{len(section['rows']):,}"])
            for row in section["rows"]:
                kind = row.get("kind", "text")
                lines.append(["row", row.get("title", row["id"]), "" if kind == "text" else kind, row.get("subtitle", "")])
        return lines


def messages(path):
    """The first list and the changes of a recording."""
    with open(path, encoding="utf-8") as file:
        every = [json.loads(line) for line in file if line.strip()]
    # Progress, runs and the end change nothing.
    return [message for message in every if message["kind"] in ("initial", "changes")]


def folded(messages, count=None):
    """The list after the first so many messages."""
    fold = Fold()
    for message in messages[:count]:
        fold.take(message)
    return fold

"""Hosts a model of Qt that a program drives, and has Qt judge every call.

    host.py PROGRAM flat|tree store|arranged|compared ROUNDS SEED ROWS [FAULT]

PROGRAM makes the calls, one line of JSON each, and waits for the answer to each. After every update four voices of Qt are asked:
messages, of the testers on the model and on the proxy above it and of anything else; persistent indexes; the rows of the proxy,
which sorts and filters; and the delegates of a list of Qt Quick. The last line printed is the result, as JSON.
"""

import collections
import json
import os
import random
import subprocess
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_QUICK_BACKEND", "software")

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, QUrl, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtQml import QQmlApplicationEngine
from PySide6.QtTest import QAbstractItemModelTester

import qt_models

FOLDER = os.path.dirname(os.path.abspath(__file__))
WARNING = QAbstractItemModelTester.FailureReportingMode.Warning


class Places:
    """The rows of a data source by identity: their sections and contents."""

    def __init__(self, sections):
        self.sections = {section["id"] for section in sections}
        self.owner = {str(row["id"]): section["id"] for section in sections for row in section["rows"]}

    def stayed(self, later):
        """The identities that no one may have taken out and put in again: rows whose sections, before and after, are in both."""
        both = self.sections & later.sections
        rows = {
            row for row, owner in self.owner.items()
            if owner in both and later.owner.get(row) in both}
        return both | rows


class Quick:
    """A list of Qt Quick over a flat model."""

    def __init__(self, model, dice):
        self.engine = QQmlApplicationEngine()
        self.engine.load(QUrl.fromLocalFile(os.path.join(FOLDER, "List.qml")))
        self.window = self.engine.rootObjects()[0]
        self.window.setProperty("model", model)
        self.model = model
        app.processEvents()
        self.dice = dice
        self.before = {}
        # Rows that a layout between two steps has pushed off the screen: their delegates went to other rows, or to the pool.
        self.pushed = set()
        self.kept = 0
        self.counts = [0] * 4

    def complaints(self, source, stayed, moved):
        state = json.loads(self.window.shown())
        shown, rows = state["rows"], [(item.identity, item.kind, item.text) for item in source]
        if state["count"] != len(rows):
            yield f"the list has {state['count']} rows of {len(rows)}"
        for index, identity, kind, text, *_ in shown:
            if index >= len(rows) or (identity, kind, text) != rows[index]:
                yield f"delegate {index} shows {identity} {kind} {text}, not {rows[index:index + 1]}"
        if [row[0] for row in shown] != list(range(shown[0][0], shown[0][0] + len(shown)) if shown else []):
            yield f"the delegates {[row[0] for row in shown]} are not a stretch of the list"
        if rows and (not shown or shown[0][5] > 0 and shown[0][0] > 0 or len(shown) < min(12, len(rows) - shown[0][0])):
            yield f"rows {[(row[0], row[5]) for row in shown]} are on the screen, of {len(rows)}"
        delegates = {row[1]: (row[2], row[4]) for row in shown}
        for identity, (kind, serial) in delegates.items():
            old = self.before.get(identity)
            if old is None or identity not in stayed or identity in moved or identity in self.pushed or old[0] != kind:
                continue
            self.kept += 1
            if old[1] != serial:
                yield f"row {identity} stays on the screen, and its delegate {old[1]} became {serial}"
        self.remember(state)

    def scroll_at_random(self, count):
        if count and self.dice.random() < 0.1:
            self.scroll(self.dice.randrange(count))

    def scroll(self, row):
        self.window.scrollTo(row)
        self.remember(json.loads(self.window.shown()))

    def lay_out(self):
        """Lays the list out between two steps. Qt Quick takes all changes since its last layout as one: after several steps it may
        show nothing until the next change, or give rows that stayed other delegates."""
        shown = json.loads(self.window.identities())
        self.pushed.update(item.identity for item in self.model.top if item.identity not in shown)

    def remember(self, state):
        self.before = {row[1]: (row[2], row[4]) for row in state["rows"]}
        self.pushed.clear()
        self.counts = state["counts"]


class Judge:
    """The models, those who look at them, and their complaints."""

    def __init__(self, form, seed, scrolls):
        self.model = qt_models.FlatModel() if form == "flat" else qt_models.TreeModel()
        self.reports = collections.Counter()
        self.texts = []
        self.messages = []
        qInstallMessageHandler(lambda _type, _context, message: self.hear(message))
        self.proxy = QSortFilterProxyModel()
        self.proxy.setSortRole(qt_models.KEY)
        self.proxy.setFilterRole(qt_models.LETTER)
        self.proxy.setFilterRegularExpression("^[^a]")
        self.proxy.setDynamicSortFilter(True)
        self.proxy.setSourceModel(self.model)
        self.proxy.sort(0)
        self.testers = [QAbstractItemModelTester(model, WARNING) for model in (self.model, self.proxy)]
        self.persistent = {}
        self.places = Places([])
        self.stayed = set()
        self.sections = []
        self.quick = Quick(self.model, random.Random(seed)) if form == "flat" else None
        if self.quick:
            self.model.lay_out = self.quick.lay_out
        self.scrolls = scrolls
        self.was_reset = False
        self.batch = []
        self.followed = 0
        self.steps = 0
        self.done = None

    def hear(self, message):
        self.messages.append(message)
        # A planted error may crash Qt: its messages until then are kept.
        print("Qt:", message, file=sys.stderr, flush=True)

    # Calls of the program.

    def call_source(self, sections):
        self.sections = sections
        self.model.swap(self.model.arranged(sections))

    def call_batch(self):
        self.batch = []
        self.model.steps_left = True

    def call_step(self, name, at):
        """Steps wait until it is known which is the last."""
        self.batch.append((name, at))
        if len(self.batch) > 1:
            self.perform(*self.batch.pop(0), False)

    def call_end(self):
        for name, at in self.batch:
            self.perform(name, at, True)
        if self.model.steps_left is not None and not self.batch:
            self.model.adopt()
        self.batch = []
        self.model.steps_left = None

    def perform(self, name, at, is_last):
        self.steps += 1
        if getattr(self.model, name)(*at, is_last) is False:
            self.messages.append(f"beginMoveRows{tuple(at)} is false")

    def call_reset(self):
        self.was_reset = True
        self.model.reset()

    def call_check(self, round_number):
        for voice, complaints in (
            ("messages", self.said), ("persistent", self.lost), ("proxy", self.misplaced), ("quick", self.undelegated),
        ):
            for text in complaints():
                self.reports[voice] += 1
                self.texts.append(f"update {round_number}: {voice}: {text}")
        self.model.moved.clear()
        self.model.replaced.clear()
        self.after_check()
        return not self.reports

    # The voices.

    def place(self, index):
        """A place in the data source, by an index of the model."""
        return (index.row(),) if not index.parent().isValid() else (index.parent().row(), index.row())

    def sourced(self):
        """Every identity with its place in the data source."""
        places = {}
        for row, item in enumerate(self.model.source):
            places[item.identity] = (row,)
            for child, below in enumerate(item.children):
                places[below.identity] = (row, child)
        return places

    def said(self):
        said, self.messages = self.messages, []
        return said

    def lost(self):
        places = self.sourced()
        later = Places(self.sections)
        self.stayed = set() if self.was_reset else self.places.stayed(later) - self.model.replaced
        for identity, index in self.persistent.items():
            if index.isValid():
                self.followed += 1
                if self.place(index) != places.get(identity):
                    yield f"the index of {identity} is at {self.place(index)}, not {places.get(identity)}"
            elif identity in self.stayed:
                yield f"the index of {identity} is gone, though the row stayed"
        self.places = later
        self.was_reset = False

    def misplaced(self):
        def expected(items):
            return [
                (item.identity, expected(item.children))
                for item in sorted(items, key=lambda item: item.key) if item.letter != "a"]

        def found(parent):
            rows = (self.proxy.index(row, 0, parent) for row in range(self.proxy.rowCount(parent)))
            return [(index.data(), found(index)) for index in rows]

        shown, right = found(QModelIndex()), expected(self.model.source)
        if shown != right:
            yield f"the rows {shown} are not {right}"

    def undelegated(self):
        return self.quick.complaints(self.model.source, self.stayed, self.model.moved) if self.quick else ()

    def after_check(self):
        app.processEvents()
        if self.quick and self.scrolls:
            self.quick.scroll_at_random(len(self.model.source))
        for identity in [identity for identity, index in self.persistent.items() if not index.isValid()]:
            del self.persistent[identity]
        for identity, place in self.sourced().items():
            if identity not in self.persistent:
                parent = self.model.parent_index(place[0] if len(place) > 1 else -1)
                self.persistent[identity] = QPersistentModelIndex(self.model.index(place[-1], 0, parent))

    def answer(self, call):
        name, at = call["call"], call["at"]
        if name == "source":
            self.call_source(call["sections"])
        elif name in ("insert", "remove", "move"):
            self.call_step(name, at)
        elif name in ("change", "replace"):
            getattr(self.model, name)(*at)
        elif name == "scroll":
            self.quick.scroll(*at)
        elif name == "done":
            self.done = at
        else:
            return getattr(self, "call_" + name)(*at)
        return True


def run(command):
    form, source, _, seed, *_ = command[1:]
    judge = Judge(form, seed, source != "compared")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        for line in program.stdout:
            answer = judge.answer(json.loads(line))
            program.stdin.write(b"stop\n" if answer is False else b"ok\n")
            program.stdin.flush()
    return {
        "code": program.returncode, "done": judge.done, "reports": judge.reports, "texts": [text[:400] for text in judge.texts[:5]],
        "steps": judge.steps, "followed": judge.followed,
        "quick": judge.quick and {
            "stayed": judge.quick.kept,
            **dict(zip(("created", "destroyed", "pooled", "reused"), judge.quick.counts))},
    }


app = QGuiApplication(sys.argv[:1])
print(json.dumps(run(sys.argv[1:])))
sys.stdout.flush()
# Qt's own destructors abort when Python has taken its modules down.
os._exit(0)

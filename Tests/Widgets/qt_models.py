"""Models of Qt that a driver in another process changes, call by call."""

import itertools

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt

# Roles: the identity is what Qt's tester compares before and after a change, so it is the text to display.
IDENTITY, KIND, TEXT, KEY, LETTER = (
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2, Qt.ItemDataRole.UserRole + 3,
    Qt.ItemDataRole.UserRole + 4)
NAMES = {IDENTITY: b"identity", KIND: b"kind", TEXT: b"text"}


class Item:
    """A row or a section: its identity, its content as the model has told it, and its children."""

    tokens = itertools.count(1)

    def __init__(self, identity, kind, text, children=()):
        self.identity, self.children, self.token = identity, list(children), next(self.tokens)
        self.tell(kind, text)

    def tell(self, kind, text):
        self.kind, self.text = kind, text
        self.key = f"{text}/{self.identity}"
        # Sections pass every filter.
        self.letter = "-" if kind == "header" else text[:1]

    def copy(self):
        return Item(self.identity, self.kind, self.text, (child.copy() for child in self.children))


class Rows:
    """The part that lists and trees share. Between batches the model has the rows of the data source; in a batch it goes step by
    step, and the last step leads to the rows of the data source."""

    def start(self):
        self.top, self.source, self.steps_left, self.moved, self.replaced = [], [], None, set(), set()
        # Called before every step.
        self.lay_out = lambda: None

    # Calls from the driver's side.

    def swap(self, source):
        self.source = source
        if self.steps_left is None:
            self.adopt()

    def adopt(self):
        """Takes the rows of the data source over, with the contents that were told before."""
        known = {item.identity: item for item in self.items()}

        def kept(item):
            own = known.get(item.identity) or Item(item.identity, item.kind, item.text)
            own.children = [kept(child) for child in item.children]
            return own

        self.top = [kept(item) for item in self.source]

    def items(self):
        for item in self.top:
            yield item
            yield from item.children

    def parent_index(self, parent):
        return QModelIndex() if parent < 0 else self.index(parent, 0, QModelIndex())

    def list(self, items, parent):
        return items if parent < 0 else items[parent].children if parent < len(items) else []

    def insert(self, parent, first, count, is_last):
        self.lay_out()
        self.beginInsertRows(self.parent_index(parent), first, first + count - 1)
        if is_last:
            self.adopt()
        else:
            new = self.list(self.source, parent)[first:first + count]
            self.list(self.top, parent)[first:first] = [item.copy() for item in new]
        self.endInsertRows()

    def remove(self, parent, first, count, is_last):
        self.lay_out()
        self.beginRemoveRows(self.parent_index(parent), first, first + count - 1)
        if is_last:
            self.adopt()
        else:
            del self.list(self.top, parent)[first:first + count]
        self.endRemoveRows()

    def move(self, parent, row, new_parent, destination, is_last):
        """True if Qt allows the move."""
        self.lay_out()
        if not self.beginMoveRows(self.parent_index(parent), row, row, self.parent_index(new_parent), destination):
            return False
        moved = self.list(self.top, parent)[row:row + 1]
        self.moved.update(item.identity for item in moved)
        if is_last:
            self.adopt()
        else:
            del self.list(self.top, parent)[row:row + 1]
            place = destination - 1 if parent == new_parent and destination > row else destination
            self.list(self.top, new_parent)[place:place] = moved
        self.endMoveRows()
        return True

    def change(self, parent, first, count):
        items, source = self.list(self.top, parent), self.list(self.source, parent)
        kinds = []
        for row in range(first, first + count):
            kinds.append(items[row].kind != source[row].kind)
            items[row].tell(source[row].kind, source[row].text)
        roles = [TEXT, KEY, LETTER] + ([KIND] if any(kinds) else [])
        of = self.parent_index(parent)
        self.dataChanged.emit(self.index(first, 0, of), self.index(first + count - 1, 0, of), roles)

    def replace(self, parent, first, count):
        """Takes rows out, and puts them in again with their new content."""
        items, source = self.list(self.top, parent), self.list(self.source, parent)
        of = self.parent_index(parent)
        self.lay_out()
        self.beginRemoveRows(of, first, first + count - 1)
        del items[first:first + count]
        self.endRemoveRows()
        self.lay_out()
        self.beginInsertRows(of, first, first + count - 1)
        items[first:first] = [item.copy() for item in source[first:first + count]]
        self.endInsertRows()
        self.replaced.update(item.identity for item in items[first:first + count])

    def reset(self):
        self.beginResetModel()
        self.top = []
        self.adopt()
        self.endResetModel()

    # Answers to Qt.

    def value(self, item, role):
        if role == IDENTITY:
            return item.identity
        if role == KIND:
            return item.kind
        if role == TEXT:
            return item.text
        if role == KEY:
            return item.key
        if role == LETTER:
            return item.letter
        return None

    def roleNames(self):
        return NAMES


class FlatModel(Rows, QAbstractListModel):
    """Headers and rows, one after the other."""

    def __init__(self):
        QAbstractListModel.__init__(self)
        self.start()

    @staticmethod
    def arranged(sections):
        return [
            item for section in sections
            for item in (Item(section["id"], "header", section["title"]),
                         *(Item(str(row["id"]), row["kind"], row["text"]) for row in section["rows"]))]

    def rowCount(self, parent=QModelIndex()):
        return 0 if parent.isValid() else len(self.top)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        return self.value(self.top[index.row()], role) if index.row() < len(self.top) else None

    def item(self, index):
        return self.top[index.row()]


class TreeModel(Rows, QAbstractItemModel):
    """Sections, and rows as their children. The internal number of an index is 0 for a section, and for a row its section's."""

    def __init__(self):
        QAbstractItemModel.__init__(self)
        self.start()

    @staticmethod
    def arranged(sections):
        return [
            Item(section["id"], "header", section["title"],
                 (Item(str(row["id"]), row["kind"], row["text"]) for row in section["rows"]))
            for section in sections]

    def section(self, token):
        """The place of a section and the section itself."""
        for place, item in enumerate(self.top):
            if item.token == token:
                return place, item
        return -1, None

    def children_of(self, index):
        if not index.isValid():
            return self.top
        if index.internalId() or index.column() or index.row() >= len(self.top):
            return []
        return self.top[index.row()].children

    def index(self, row, column, parent=QModelIndex()):
        children = self.children_of(parent)
        if column or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, 0, self.top[parent.row()].token if parent.isValid() else 0)

    def parent(self, index):
        token = index.internalId() if index.isValid() else 0
        if not token:
            return QModelIndex()
        place, section = self.section(token)
        return self.createIndex(place, 0, 0) if section else QModelIndex()

    def rowCount(self, parent=QModelIndex()):
        return len(self.children_of(parent))

    def columnCount(self, parent=QModelIndex()):
        return 1

    def item(self, index):
        token = index.internalId()
        children = self.section(token)[1].children if token and self.section(token)[1] else self.top if not token else []
        return children[index.row()] if 0 <= index.row() < len(children) else None

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        item = self.item(index)
        return item and self.value(item, role)

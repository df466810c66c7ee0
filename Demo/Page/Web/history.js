// The way from one list to another, forwards and backwards, and the words for what happens on it.

/** A row's place as UIKit's index paths are printed: section and row, counted from 0. */
const place = ([section, row]) => `[${section}, ${row}]`;

const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** A text that fits on a line, whatever the recording holds: not too long, its controls as signs. */
function clipped(text) {
  const short = text.length > 400 ? [...text.slice(0, 400)].slice(0, -1).join("") + "…" : text;
  return short.replace(/[\n\u2028\u2029]/g, "↵")
    .replace(/[\u0000-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)));
}

const textOfRow = (row) => (row.subtitle === undefined ? row.title : `${row.title}  ${row.subtitle}`);

/** What a message deletes, in words, from the list before it. */
function deletions({ kind, sections, rows }, list) {
  if (kind === "initial") return { sections: [], rows: [] };
  return {
    sections: sections.deletes.map((at) => [`deleteSections ${at}`, list.sections[at].title]),
    rows: rows.deletes.map((at) => [`deleteRows ${place(at)}`, textOfRow(list.row(at))]),
  };
}

/** What a message does, in UIKit's words and the order of the terminal's log: its first operations, and their number.
    `list` is the one after it, `deleted` what it deletes, in words. */
function inWords(message, deleted, list, limit = 40) {
  if (message.kind === "initial") {
    const text = `${count(list.sections.length, "section")}, ${count(list.rowCount, "row")}`;
    return { total: 1, operations: [{ sign: "=", what: "list", text }] };
  }
  const { sections, rows } = message;
  const section = (index) => list.sections[index].title;
  const row = (path) => textOfRow(list.row(path));
  const kinds = [
    ["-", deleted.sections, (words) => words],
    ["-", deleted.rows, (words) => words],
    ["+", sections.inserts, ({ at }) => [`insertSections ${at}`, section(at)]],
    ["+", rows.inserts, ({ at }) => [`insertRows ${place(at)}`, row(at)]],
    [">", sections.moves, ({ from, to }) => [`moveSection ${from} → ${to}`, section(to)]],
    [">", rows.moves, ({ from, to }) => [`moveRow ${place(from)} → ${place(to)}`, row(to)]],
    ["~", sections.updates, ({ from, to }) => [`reloadSections ${from}`, section(to)]],
    ["~", rows.updates, ({ from, to }) => [`reloadRows ${place(from)}`, row(to)]],
  ];
  const operations = [];
  for (const [sign, changes, words] of kinds) {
    for (const change of changes.slice(0, limit - operations.length)) {
      const [what, text] = words(change);
      operations.push({ sign, what, text: clipped(text) });
    }
  }
  return { total: kinds.reduce((sum, [, changes]) => sum + changes.length, 0), operations };
}

/** What a message did to rows of the list after it: a sign for each id. The first list is not news. */
function signs(message, list) {
  if (message.kind === "initial") return [];
  const { inserts, moves, updates } = message.rows;
  return [
    ...updates.map(({ row }) => [row.id, "~"]),
    ...moves.map(({ to }) => [list.row(to).id, ">"]),
    ...inserts.map(({ row }) => [row.id, "+"]),
  ];
}

/** The lists that a recording leads to. Keeps one of them, and copies at regular distances to go back to. */
class History {
  /** How many of the latest updates are kept in words. */
  static trailLength = 24;

  constructor(messages, rowCounts) {
    this.messages = messages;
    this.last = messages.length - 1;
    // The copies hold at most some ten million rows, each of which is shared.
    const longest = rowCounts.reduce((a, b) => Math.max(a, b), 1);
    this.interval = Math.max(32, Math.ceil((messages.length * longest) / 1e7));
    this.list = new List(messages[0].sections);
    this.checkpoints = [this.list.copy()];
    this.position = 0;
    this.trail = [this.entry()];
  }

  /** The update that the list is at, in words; `deleted` are its deletions. */
  entry(deleted) {
    const { list, position, messages: { [position]: message } } = this;
    return { index: position, revision: message.revision, signs: signs(message, list), ...inWords(message, deleted, list) };
  }

  /** Makes the list the one after an update. */
  seek(target) {
    const nearest = Math.floor(Math.max(0, target - History.trailLength) / this.interval);
    const start = Math.min(nearest, this.checkpoints.length - 1);
    if (this.position > target || this.position < start * this.interval) {
      this.list = this.checkpoints[start].copy();
      this.position = start * this.interval;
      this.trail = start === 0 ? [this.entry()] : [];
    }
    while (this.position < target) {
      const message = this.messages[++this.position];
      const isTold = target - this.position < History.trailLength;
      const deleted = isTold && deletions(message, this.list);
      this.list.apply(message);
      if (isTold) this.trail.push(this.entry(deleted));
      if (this.position === this.checkpoints.length * this.interval) this.checkpoints.push(this.list.copy());
    }
    this.trail = this.trail.slice(-History.trailLength);
  }

  /** Makes the next copy to go back to; false if there is none to make. */
  prepare() {
    const start = (this.checkpoints.length - 1) * this.interval;
    if (start + this.interval > this.last) return false;
    const list = this.checkpoints.at(-1).copy();
    for (let index = start + 1; index <= start + this.interval; index++) list.apply(this.messages[index]);
    this.checkpoints.push(list);
    return true;
  }
}

// The way from one list to another, forwards and backwards, and the words for what happens on it.

const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** A text that fits on a line, whatever the recording holds: not too long, its controls as signs. */
function clipped(text) {
  const short = text.length > 400 ? [...text.slice(0, 400)].slice(0, -1).join("") + "…" : text;
  return short.replace(/[\n\u2028\u2029]/g, "↵")
    .replace(/[\u0000-\u001f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)));
}

const textOfRow = (row) => (row.subtitle === undefined ? row.title : `${row.title}  ${row.subtitle}`);

/** What a message does, in UIKit's words and the order of the terminal's log: its first operations, and their number.
    `list` is the one after it, `taken` what it took out. */
function inWords(message, taken, list, limit = 40) {
  if (message.kind === "initial") {
    const text = `${count(list.sections.length, "section")}, ${count(list.rowCount, "row")}`;
    return { total: 1, operations: [{ sign: "=", what: "list", text }] };
  }
  const { sections, rows } = message;
  const section = (index) => list.sections[index].title;
  const row = (path) => textOfRow(list.row(path));
  const kinds = [
    ["-", sections.deletes, (at) => [`deleteSections ${at}`, taken.sections.get(at).title]],
    ["-", rows.deletes, (at) => [`deleteRows ${place(at)}`, textOfRow(taken.rows.get(place(at)))]],
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
    this.trail = [this.entry(this.list, { rows: new Map(), sections: new Map() })];
  }

  entry(list, taken) {
    const message = this.messages[this.position];
    return {
      index: this.position, revision: message.revision, signs: signs(message, list), ...inWords(message, taken, list),
    };
  }

  /** Makes the list the one after an update. */
  seek(target) {
    const nearest = Math.floor(Math.max(0, target - History.trailLength) / this.interval);
    const start = Math.min(nearest, this.checkpoints.length - 1);
    if (this.position > target || this.position < start * this.interval) {
      this.list = this.checkpoints[start].copy();
      this.position = start * this.interval;
      this.trail = start === 0 ? [this.entry(this.list, { rows: new Map(), sections: new Map() })] : [];
    }
    while (this.position < target) {
      const taken = this.list.apply(this.messages[++this.position]);
      if (target - this.position < History.trailLength) this.trail.push(this.entry(this.list, taken));
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

// Live lists of Rowcast in a browser: the list that a server writes, mirrored, and shown in a document.
// One module without dependencies. Its types are in rowcast.d.ts, the messages in Rowcast's article "Mirroring lists".

/** Takes the elements at some positions out of an array, in place; returns them by position. */
function takeOut(elements, positions) {
  const ascending = [...positions].sort((a, b) => a - b);
  const taken = new Map();
  let write = 0;
  elements.forEach((element, read) => {
    if (read === ascending[taken.size]) taken.set(read, element);
    else elements[write++] = element;
  });
  if (taken.size !== ascending.length) throw new RangeError(`${ascending} are not positions in ${elements.length} elements`);
  elements.length = write;
  return taken;
}

/** Puts elements into an array, in place, so that each stands at its position. */
function putIn(elements, arrivals) {
  arrivals.sort((a, b) => a.at - b.at);
  const count = elements.length + arrivals.length;
  const fits = arrivals.every(({ at }, index) =>
    Number.isInteger(at) && at >= 0 && at < count && at !== arrivals[index - 1]?.at);
  if (!fits) throw new RangeError(`${arrivals.map(({ at }) => at)} are not positions in ${count} elements`);
  let read = elements.length - 1;
  elements.length = count;
  for (let write = count - 1, next = arrivals.length - 1; next >= 0; write--) {
    elements[write] = write === arrivals[next].at ? arrivals[next--].element : elements[read--];
  }
}

/** Groups values by the section of their paths. */
function bySection(values, path) {
  const groups = new Map();
  for (const value of values) {
    const [section] = path(value);
    if (!groups.has(section)) groups.set(section, []);
    groups.get(section).push(value);
  }
  return groups;
}

/** The element at a position, which must exist. */
function existing(elements, position) {
  if (!(position in elements)) throw new RangeError(`${position} is no position in ${elements.length} elements`);
  return elements[position];
}

/** Whether two contents are of one row or section. Ids that are objects are equal if their JSON is. */
const isSame = (one, other) => one.id === other.id || JSON.stringify(one.id) === JSON.stringify(other.id);

const copyOfSection = (section) => ({ ...section, rows: section.rows.slice() });

/** A list of sections, each with its rows. Rows are never changed, only replaced. */
export class List {
  constructor(sections = []) { this.sections = sections.map(copyOfSection); }

  copy() { return new List(this.sections); }

  row([section, row]) { return this.sections[section].rows[row]; }

  get rowCount() { return this.sections.reduce((sum, section) => sum + section.rows.length, 0); }

  /** Folds a message with changes, or with the whole list, onto the list. If it throws, the list is of no use any more. */
  apply({ kind, sections, rows }) {
    if (kind === "initial") {
      this.sections = sections.map(copyOfSection);
      return;
    }
    // Out by the positions before, in by those after.
    const takenRows = new Map();
    for (const [section, paths] of bySection([...rows.deletes, ...rows.moves.map((move) => move.from)], (path) => path)) {
      takenRows.set(section, takeOut(existing(this.sections, section).rows, paths.map((path) => path[1])));
    }
    const takenSections = takeOut(this.sections, [...sections.deletes, ...sections.moves.map((move) => move.from)]);
    putIn(this.sections, [
      ...sections.inserts.map(({ at, section }) => ({ at, element: copyOfSection(section) })),
      ...sections.moves.map(({ from, to }) => ({ at: to, element: takenSections.get(from) })),
    ]);
    const arriving = [
      ...rows.inserts.map(({ at, row }) => ({ path: at, at: at[1], element: row })),
      ...rows.moves.map(({ from, to }) => ({ path: to, at: to[1], element: takenRows.get(from[0]).get(from[1]) })),
    ];
    for (const [section, arrivals] of bySection(arriving, (arrival) => arrival.path)) {
      putIn(existing(this.sections, section).rows, arrivals);
    }
    for (const { from, to, ...content } of sections.updates) {
      const { id, rows: kept } = existing(this.sections, to);
      this.sections[to] = { ...content, id, rows: kept };
    }
    for (const { to: [section, position], row } of rows.updates) {
      const { rows: kept } = existing(this.sections, section);
      if (!isSame(existing(kept, position), row)) throw new RangeError(`the row at [${section}, ${position}] is another one`);
      kept[position] = row;
    }
  }
}

/** A copy of a list that somebody else writes, message by message. */
export class Mirror {
  /** The list; each message makes a new one. */
  list = new List();
  /** Where in the writer's list this is; null before the first message. */
  position = null;
  isEnded = false;

  /** Takes the next message of a stream; returns whether the list or the position is another one.
   *  Throws, and changes nothing, if the message does not follow the list. */
  take(message) {
    const { v, kind, revision, epoch = "", previousEpoch = epoch, previous = revision } = message;
    if (v !== 1) throw new Error(`version ${v} of the messages is not known`);
    // Later versions may have others, and files have their runs.
    if (!["initial", "changes", "progress", "end"].includes(kind)) return false;
    if (!Number.isSafeInteger(revision) || revision < 0) throw new Error(`${revision} is no revision`);
    const { position } = this;
    const isHere = position?.revision === revision && position.epoch === epoch;
    // A keyframe repeats the list.
    if (isHere && epoch !== "" && kind === "initial") return false;
    if (kind !== "initial") {
      const follows = position?.revision === previous && [previousEpoch, epoch].includes(position.epoch);
      if (!follows) throw new Error(`a message from ${previousEpoch}/${previous} does not follow ${idOf(position)}`);
    }
    if (kind === "initial" || kind === "changes") {
      const list = this.list.copy();
      list.apply(message);
      this.list = list;
    }
    this.position = { epoch, revision };
    this.isEnded = kind === "end";
    return !isHere || kind === "initial";
  }

  /** Forgets the position: the next message must have the whole list. */
  forget() { this.position = null; }
}

/** A position as the id of a server-sent event. */
const idOf = (position) => (position ? `${position.epoch}/${position.revision}` : "nothing");

/** Half a second, then twice as long each time up to a minute, and a random part of that less. */
const backOff = (attempt) => Math.min(60_000, 500 * 2 ** (attempt - 1)) * (1 - Math.random() / 2);

/** Mirrors the list at a URL, over a WebSocket if that is its scheme and over server-sent events otherwise. */
export function connect(url, { onUpdate, onStatus, open, delay = backOff } = {}) {
  const mirror = new Mirror();
  const address = new URL(url, globalThis.location?.href);
  const isSocket = /^wss?:$/.test(address.protocol);
  const make = open ?? ((href) => (isSocket ? new WebSocket(href) : new EventSource(href)));
  let [source, timer, status, failures] = [null, 0, "", 0];

  const tell = (next, error) => {
    if (status === next && !error) return;
    status = next;
    onStatus?.(next, error);
  };
  const leave = () => {
    clearTimeout(timer);
    const former = source;
    source = null;
    former?.close();
  };
  const fail = (error) => {
    leave();
    failures += 1;
    timer = setTimeout(begin, delay(failures));
    tell("waiting", error);
  };
  const take = (text) => {
    const former = mirror.list;
    let message;
    try {
      message = JSON.parse(text);
      if (mirror.take(message)) failures = 0;
    } catch (error) {
      // Only the whole list helps.
      mirror.forget();
      return fail(error);
    }
    if (mirror.isEnded) leave();
    tell(mirror.isEnded ? "ended" : "live");
    if (mirror.list !== former) onUpdate?.(mirror.list, message);
  };
  const begin = () => {
    tell("connecting");
    const from = new URL(address);
    // For a server that knows it. When a browser reconnects by itself it sends a header, which is newer.
    if (mirror.position && !isSocket) from.searchParams.set("lastEventId", idOf(mirror.position));
    const made = make(from.href);
    source = made;
    const heard = (hear) => (event) => { if (made === source) hear(event); };
    made.onmessage = heard(({ data }) => take(typeof data === "string" ? data : new TextDecoder().decode(data)));
    if (isSocket) {
      made.binaryType = "arraybuffer";
      made.onopen = heard(() => made.send(JSON.stringify(mirror.position)));
      made.onclose = heard(() => fail(new Error("the connection was closed")));
    } else {
      made.onopen = heard(() => tell("connecting"));
      made.onerror = heard(() => {
        const error = new Error("the connection failed");
        // Unless it was refused, the browser connects again by itself.
        if (made.readyState === 2) fail(error);
        else tell("waiting", error);
      });
    }
  };
  begin();
  return {
    get list() { return mirror.list; },
    get position() { return mirror.position; },
    get status() { return status; },
    close() { leave(); },
  };
}

/** The indexes of a longest ascending part of some numbers. */
function longestAscending(numbers) {
  const ends = [];
  const before = [];
  numbers.forEach((number, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]] < number) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1];
    ends[low] = index;
  });
  const found = new Set();
  for (let index = ends.at(-1); index !== undefined; index = before[index]) found.add(index);
  return found;
}

/** Returns a function that shows a list as the children of an element. `row` and `section` make the element of one, or
 *  change the one that they get. Each row keeps its element; rows that are as they were, and where they were, are not touched. */
export function show(element, { row, section }) {
  element.replaceChildren();
  let shown = { row: new Map(), section: new Map() };
  return (list) => {
    const former = shown;
    const order = [];
    shown = { row: new Map(), section: new Map() };
    const add = (kind, content, render) => {
      if (shown[kind].has(content.id)) throw new Error(`the ${kind} ${JSON.stringify(content.id)} is in the list twice`);
      const kept = former[kind].get(content.id);
      let made = kept?.element;
      if (!made || kept.content !== content) made = render(content, made) ?? made;
      const entry = { content, element: made, index: order.length, former: made === kept?.element ? kept.index : -1 };
      shown[kind].set(content.id, entry);
      order.push(entry);
    };
    for (const one of list.sections) {
      if (section) add("section", one, section);
      for (const each of one.rows) add("row", each, row);
    }
    const elements = new Set(order.map((entry) => entry.element));
    for (const kind of ["section", "row"]) {
      for (const { element: old } of former[kind].values()) if (!elements.has(old)) old.remove();
    }
    const kept = order.filter((entry) => entry.former >= 0);
    const still = new Set([...longestAscending(kept.map((entry) => entry.former))].map((index) => kept[index]));
    let next = null;
    for (const entry of order.toReversed()) {
      // A moved element keeps its focus and its state, if the browser can do that.
      const isMove = entry.former >= 0 && element.moveBefore;
      if (!still.has(entry)) isMove ? element.moveBefore(entry.element, next) : element.insertBefore(entry.element, next);
      next = entry.element;
    }
  };
}

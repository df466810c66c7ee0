// The list, and the rule by which an update of the wire form is folded onto it, position by position.

/** A row's place as UIKit's index paths are printed: section and row, counted from 0. */
const place = ([section, row]) => `[${section}, ${row}]`;

/** Takes the elements at ascending positions out of an array, in place, and gives them back. */
function takeOut(elements, positions) {
  const taken = [];
  let write = positions[0];
  for (let read = write; read < elements.length; read++) {
    if (read === positions[taken.length]) taken.push(elements[read]);
    else elements[write++] = elements[read];
  }
  elements.length = write;
  return taken;
}

/** Puts elements into an array, in place, so that each stands at its position. Positions ascend. */
function putIn(elements, arrivals) {
  let read = elements.length - 1;
  for (const arrival of arrivals) elements.push(arrival.element);
  for (let write = elements.length - 1, next = arrivals.length - 1; next >= 0; write--) {
    elements[write] = write === arrivals[next].at ? arrivals[next--].element : elements[read--];
  }
}

/** What belongs to each section: groups values by the first number of their paths. */
function bySection(values, path) {
  const groups = new Map();
  for (const value of values) {
    const section = path(value)[0];
    if (!groups.has(section)) groups.set(section, []);
    groups.get(section).push(value);
  }
  return groups;
}

const copyOfSection = (section) => ({ ...section, rows: section.rows.slice() });

/** A list of sections, each with its rows. Rows are never changed, only replaced. */
class List {
  constructor(sections) { this.sections = sections.map(copyOfSection); }

  copy() { return new List(this.sections); }

  row([section, row]) { return this.sections[section].rows[row]; }

  get rowCount() { return this.sections.reduce((sum, section) => sum + section.rows.length, 0); }

  /** Folds a message onto the list; gives back the rows and sections that it took out, by their place before. */
  apply({ kind, sections, rows }) {
    const taken = { rows: new Map(), sections: new Map() };
    if (kind === "initial") {
      this.sections = sections.map(copyOfSection);
      return taken;
    }
    const leaving = [...rows.deletes, ...rows.moves.map((move) => move.from)];
    for (const [section, paths] of bySection(leaving, (path) => path)) {
      const positions = paths.map((path) => path[1]).sort((a, b) => a - b);
      takeOut(this.sections[section].rows, positions)
        .forEach((row, index) => taken.rows.set(place([section, positions[index]]), row));
    }
    const leavingSections = [...sections.deletes, ...sections.moves.map((move) => move.from)].sort((a, b) => a - b);
    if (leavingSections.length > 0) {
      takeOut(this.sections, leavingSections)
        .forEach((section, index) => taken.sections.set(leavingSections[index], section));
    }
    putIn(this.sections, [
      ...sections.inserts.map(({ at, section }) => ({ at, element: copyOfSection(section) })),
      ...sections.moves.map(({ from, to }) => ({ at: to, element: taken.sections.get(from) })),
    ].sort((a, b) => a.at - b.at));
    const arriving = [
      ...rows.inserts.map(({ at, row }) => ({ path: at, at: at[1], element: row })),
      ...rows.moves.map(({ from, to }) => ({ path: to, at: to[1], element: taken.rows.get(place(from)) })),
    ];
    for (const [section, arrivals] of bySection(arriving, (arrival) => arrival.path)) {
      putIn(this.sections[section].rows, arrivals.sort((a, b) => a.at - b.at));
    }
    for (const { from, to, ...content } of sections.updates) {
      const { id, rows } = this.sections[to];
      this.sections[to] = { ...content, id, rows };
    }
    for (const { to, row } of rows.updates) this.sections[to[0]].rows[to[1]] = row;
    return taken;
  }
}

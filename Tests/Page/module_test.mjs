// Tests of rowcast.js in node, which page_test.py runs: `node --test`. RECORDINGS has the paths of recordings with keyframes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, test } from "node:test";

import * as module from "../../Sources/RowcastBrowser/rowcast.js";

const { List, Mirror, connect, show } = module;

const seed = Number(process.env.ROWCAST_SEED || 7);
console.log(`fuzz: rowcast.js: ROWCAST_SEED=${seed}`);

/** Random numbers that a seed repeats (mulberry32). */
function generator(state) {
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const plain = (list) => JSON.parse(JSON.stringify(list.sections));

/** A list with some of the ids, among which are 1 and "1". */
function randomList(random, version) {
  const shuffled = (values) => values.map((value) => [random(1e6), value]).sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
  const sections = shuffled([0, "0", "a", 7]).slice(0, random(5));
  const ids = shuffled([1, "1", 2, "2", 3, "c", "d", "e"]).slice(0, sections.length ? random(9) : 0);
  const made = sections.map((id) => ({ id, title: `t${random(2)}`, rows: [] }));
  for (const id of ids) made[random(made.length)].rows.push({ id, text: random(2) ? "same" : version });
  return made;
}

/** What leads from one list to another, found without any cleverness: some that could stay are moved, too. */
function changes(before, after, random) {
  const none = () => ({ deletes: [], inserts: [], moves: [], updates: [] });
  const message = { sections: none(), rows: none() };
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const at = (list, id) => list.findIndex((one) => one.id === id);
  before.forEach((section, from) => { if (at(after, section.id) < 0) message.sections.deletes.push(from); });
  let last = -1;
  after.forEach((section, to) => {
    const from = at(before, section.id);
    if (from < 0) return message.sections.inserts.push({ at: to, section });
    if (from < last || random(4) === 0) message.sections.moves.push({ from, to });
    else last = from;
    if (before[from].title !== section.title) message.sections.updates.push({ from, to, title: section.title });
  });
  const survives = (list, section) => at(list, section.id) >= 0;
  const paths = (list) => list.flatMap((section, s) => section.rows.map((row, r) => ({ row, section, path: [s, r] })));
  const leaving = paths(before).filter(({ section }) => survives(after, section));
  const coming = paths(after).filter(({ section }) => survives(before, section));
  const newest = new Map();
  for (const { row, path } of leaving) {
    if (!coming.some((one) => one.row.id === row.id)) message.rows.deletes.push(path);
  }
  for (const { row, section, path: to } of coming) {
    const origin = leaving.find((one) => one.row.id === row.id);
    if (!origin) { message.rows.inserts.push({ at: to, row }); continue; }
    const from = origin.path;
    const stays = origin.section.id === section.id && from[1] > (newest.get(section.id) ?? -1) && random(4) > 0;
    if (stays) newest.set(section.id, from[1]);
    else message.rows.moves.push({ from, to });
    if (!same(origin.row, row)) message.rows.updates.push({ from, to, row });
  }
  for (const kind of ["sections", "rows"]) for (const each of Object.values(message[kind])) each.sort(() => random(3) - 1);
  return message;
}

const initial = (revision, sections, epoch = "e") => ({ v: 1, kind: "initial", epoch, revision, sections });
const change = (previous, revision, body, epoch = "e") => ({ v: 1, kind: "changes", epoch, previous, revision, ...body });

/** Elements that count what is done to them. */
function fakeElement() {
  const element = {
    children: [], work: 0,
    replaceChildren() { element.children = []; },
    insertBefore(child, next) {
      child.remove?.();
      element.children.splice(next ? element.children.indexOf(next) : element.children.length, 0, child);
      element.work += 1;
      child.remove = () => {
        const index = element.children.indexOf(child);
        if (index >= 0) element.children.splice(index, 1);
      };
    },
  };
  return element;
}

test("random changes lead from each list to the next, and a shown list keeps the elements of its rows", () => {
  const random = generator(seed);
  let count = 0;
  for (let round = 0; round < 2_000; round++) {
    let before = randomList(random, 0);
    const mirror = new Mirror();
    mirror.take(initial(0, before));
    const parent = fakeElement();
    const elements = new Map();
    const update = show(parent, {
      row: (row, element) => { const made = element ?? { row: row.id }; made.text = row.text; return made; },
      section: (section, element) => Object.assign(element ?? { section: section.id }, { text: section.title }),
    });
    update(mirror.list);
    for (let step = 1; step < 6; step++) {
      const after = randomList(random, step);
      const former = mirror.list;
      const formerPlain = plain(former);
      assert.equal(mirror.take(change(step - 1, step, changes(before, after, random))), true);
      assert.deepEqual(plain(mirror.list), after);
      assert.deepEqual(plain(former), formerPlain, "the list before is as it was");
      for (const child of parent.children) if ("row" in child) elements.set(child.row, child);
      const shown = new Set(parent.children);
      update(mirror.list);
      assert.deepEqual(
        parent.children.map((child) => ({ ...child, remove: undefined })),
        after.flatMap((section) => [
          { section: section.id, text: section.title, remove: undefined },
          ...section.rows.map((row) => ({ row: row.id, text: row.text, remove: undefined }))]));
      for (const child of parent.children) {
        if ("row" in child && shown.has(elements.get(child.row))) assert.equal(child, elements.get(child.row));
      }
      before = after;
      count += 1;
    }
  }
  assert.equal(count, 10_000);
});

test("a row that moves is the only one that is moved", () => {
  const parent = fakeElement();
  const calls = [];
  const update = show(parent, { row: (row, element) => { calls.push(row.id); return element ?? { id: row.id }; } });
  const list = new List([{ id: 0, rows: Array.from({ length: 50 }, (_, id) => ({ id })) }]);
  update(list);
  assert.equal(parent.work, 50);
  const none = { deletes: [], inserts: [], moves: [], updates: [] };
  for (const [from, to] of [[0, 49], [49, 0], [10, 30]]) {
    [parent.work, calls.length] = [0, 0];
    const next = list.copy();
    next.apply(change(0, 1, { sections: none, rows: { ...none, moves: [{ from: [0, from], to: [0, to] }] } }));
    update(next);
    assert.equal(parent.work, 1);
    assert.deepEqual(calls, []);
    update(list);
  }
});

test("recorded lines lead to the list of each keyframe", () => {
  const paths = (process.env.RECORDINGS ?? "").split("\n").filter(Boolean);
  for (const path of paths) {
    const mirror = new Mirror();
    let keyframes = 0;
    for (const line of readFileSync(path, "utf8").split("\n").filter(Boolean)) {
      const message = JSON.parse(line);
      const isKeyframe = message.kind === "initial" && mirror.position !== null;
      if (isKeyframe) {
        assert.deepEqual(plain(mirror.list), message.sections);
        keyframes += 1;
      }
      assert.equal(mirror.take(message), !isKeyframe && message.kind !== "end");
    }
    assert.ok(mirror.isEnded && keyframes > 3, `${keyframes} keyframes in ${path}`);
  }
});

test("a message that does not follow changes nothing", () => {
  const none = { deletes: [], inserts: [], moves: [], updates: [] };
  const sections = [{ id: 0, title: "t", rows: [{ id: 1 }, { id: "1" }] }];
  const empty = { sections: none, rows: none };
  const wrong = [
    change(4, 6, empty), change(5, 6, empty, "other"), { v: 2, kind: "end", revision: 5, epoch: "e" }, initial(-1, []),
    change(5, 6, { sections: none, rows: { ...none, deletes: [[0, 0], [0, 2]] } }),
    change(5, 6, { sections: none, rows: { ...none, deletes: [[0, 0], [0, 0]] } }),
    change(5, 6, { sections: none, rows: { ...none, inserts: [{ at: [0, 4], row: { id: 4 } }] } }),
    change(5, 6, { sections: none, rows: { ...none, inserts: [{ at: [1, 0], row: { id: 4 } }] } }),
    change(5, 6, { sections: none, rows: { ...none, updates: [{ from: [0, 0], to: [0, 0], row: { id: "1" } }] } }),
    change(5, 6, { sections: { ...none, deletes: [1] }, rows: none }),
    { v: 1, kind: "progress", epoch: "e", revision: 6 }, { v: 1, kind: "end", epoch: "e", revision: 6, updates: 1 },
  ];
  for (const message of wrong) {
    const mirror = new Mirror();
    assert.throws(() => mirror.take(change(0, 1, empty)), "nothing comes before the whole list");
    mirror.take(initial(5, sections));
    assert.throws(() => mirror.take(message), JSON.stringify(message));
    assert.deepEqual([plain(mirror.list), mirror.position, mirror.isEnded], [sections, { epoch: "e", revision: 5 }, false]);
  }
});

test("runs of one list follow each other", () => {
  const none = { deletes: [], inserts: [], moves: [], updates: [] };
  const mirror = new Mirror();
  mirror.take(initial(3, [], "a"));
  assert.equal(mirror.take({ v: 1, kind: "run", epoch: "b", revision: 3, lineage: [] }), false);
  assert.equal(mirror.take({ v: 1, kind: "progress", epoch: "a", revision: 3 }), false);
  assert.equal(mirror.take({ v: 1, kind: "progress", epoch: "b", revision: 3, previousEpoch: "a" }), true);
  const next = change(3, 4, { sections: { ...none, inserts: [{ at: 0, section: { id: 0, rows: [] } }] }, rows: none }, "c");
  assert.throws(() => mirror.take({ ...next, previousEpoch: "a" }));
  assert.equal(mirror.take({ ...next, previousEpoch: "b" }), true);
  assert.deepEqual(mirror.position, { epoch: "c", revision: 4 });
  assert.equal(mirror.take(initial(0, [], "x")), true, "a whole list is taken");
});

/** Connections that a test speaks for; timers that it lets pass. */
function connected(t, url, options) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const [made, statuses, lists] = [[], [], []];
  const connection = connect(url, {
    ...options,
    open: (href) => {
      const source = { href, readyState: 0, sent: [], isClosed: false };
      source.close = () => { source.isClosed = true; };
      source.send = (text) => source.sent.push(text);
      source.say = (message) => source.onmessage({ data: typeof message === "string" ? message : JSON.stringify(message) });
      made.push(source);
      return source;
    },
    delay: () => 1_000,
    onStatus: (status) => statuses.push(status),
    onUpdate: (list) => lists.push(list.rowCount),
  });
  return { connection, made, statuses, lists, pass: () => mock.timers.tick(1_000) };
}

const rows = (...ids) => [{ id: 0, rows: ids.map((id) => ({ id })) }];
const nothing = { deletes: [], inserts: [], moves: [], updates: [] };
const insertion = (previous, id) =>
  change(previous, previous + 1, { sections: nothing, rows: { ...nothing, inserts: [{ at: [0, 0], row: { id } }] } });

test("server-sent events: the browser reconnects, a refusal is tried again from the position, a gap from nothing, the end closes", (t) => {
  const { connection, made, statuses, lists, pass } = connected(t, "http://host/list?all=1");
  assert.equal(made[0].href, "http://host/list?all=1");
  made[0].onopen({});
  assert.deepEqual(statuses.splice(0), ["connecting"]);
  made[0].say(initial(0, rows(1)));
  made[0].say(insertion(0, "1"));
  assert.deepEqual([statuses.splice(0), lists.splice(0)], [["live"], [1, 2]]);
  made[0].onerror({});
  made[0].onopen({});
  made[0].say({ v: 1, kind: "progress", epoch: "e", revision: 1 });
  assert.deepEqual([statuses.splice(0), lists, made.length], [["waiting", "connecting", "live"], [], 1]);
  made[0].readyState = 2;
  made[0].onerror({});
  assert.deepEqual([statuses.splice(0), made.length], [["waiting"], 1]);
  pass();
  assert.equal(made[1].href, "http://host/list?all=1&lastEventId=e%2F1");
  made[1].say(insertion(1, 2));
  assert.deepEqual([statuses.splice(0), lists.splice(0)], [["connecting", "live"], [3]]);
  made[1].say(insertion(7, 3));
  assert.ok(made[1].isClosed);
  made[1].say(insertion(2, 3));
  pass();
  assert.equal(made[2].href, "http://host/list?all=1");
  assert.deepEqual([statuses.splice(0), lists, connection.list.rowCount], [["waiting", "connecting"], [], 3]);
  made[2].say("no JSON");
  pass();
  made[3].say(initial(9, rows(1, 2, 3, 4)));
  made[3].say({ v: 1, kind: "end", epoch: "e", revision: 9, updates: 3 });
  assert.deepEqual([statuses, lists], [["waiting", "connecting", "live", "ended"], [4]]);
  assert.ok(made[3].isClosed);
  pass();
  assert.equal(made.length, 4);
});

test("WebSockets: the position is the first message, bytes are text, and each close but the last is a failure", (t) => {
  const { connection, made, statuses, pass } = connected(t, "wss://host/list");
  made[0].onopen({});
  assert.deepEqual([made[0].href, made[0].sent], ["wss://host/list", ["null"]]);
  made[0].onmessage({ data: new TextEncoder().encode(JSON.stringify(initial(4, rows(1, 2)))).buffer });
  made[0].onclose({});
  pass();
  made[1].onopen({});
  assert.deepEqual(JSON.parse(made[1].sent[0]), { epoch: "e", revision: 4 });
  made[1].say(insertion(4, 3));
  assert.deepEqual(statuses, ["connecting", "live", "waiting", "connecting", "live"]);
  assert.equal(connection.list.rowCount, 3);
  connection.close();
  made[1].onclose({});
  pass();
  assert.deepEqual([made.length, made[1].isClosed], [2, true]);
});

test("rowcast.d.ts declares what rowcast.js exports, in the same forms, and its test uses all of it", () => {
  const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
  const [types, uses] = [read("../../Sources/RowcastBrowser/rowcast.d.ts"), read("types_test.ts")];
  const declared = [...types.matchAll(/^export (?:declare )?(\w+) (\w+)/gm)].map(([, form, name]) => ({ form, name }));
  const isValue = ({ form }) => !["type", "interface"].includes(form);
  const form = (value) => (String(value).startsWith("class ") ? "class" : typeof value);
  const forms = Object.entries(module).map(([name, value]) => `${form(value)} ${name}`);
  assert.deepEqual(declared.filter(isValue).map(({ form, name }) => `${form} ${name}`).sort(), forms.sort());
  const imported = uses.match(/^import \{([^}]*)\}/m)[1].split(",").map((name) => name.trim().replace(/^type /, ""));
  assert.deepEqual(imported.filter((name) => name).sort(), declared.map(({ name }) => name).sort());
  // What is in a class is there, too: methods, accessors, and fields of a new one.
  for (const { name } of declared.filter(({ form }) => form === "class")) {
    const body = types.match(new RegExp(`^export class ${name}\\b.*\\n([^]*?)^}`, "m"))[1];
    const isMember = (member) => member !== "constructor";
    const members = [...body.matchAll(/^  (?:readonly )?(\w+)[(?:]/gm)].map(([, member]) => member);
    const made = new module[name]();
    const there = new Set([...Object.keys(made), ...Object.getOwnPropertyNames(module[name].prototype)]);
    assert.deepEqual(members.filter(isMember).sort(), [...there].filter(isMember).sort());
  }
});

// Every export of rowcast.d.ts, used as it should be, and with types that the compiler must refuse: page_test.py runs `tsc`.

import {
  List, Mirror, connect, show,
  type Changes, type ConnectOptions, type Connection, type Message, type Path, type Position, type Row, type Section, type Status,
} from "../../Sources/RowcastBrowser/rowcast.js";

interface Job extends Row { id: number; state: string }
interface Title { title: string }

const job: Job = { id: 1, state: "new" };
const row: Row = { id: "1" };
// @ts-expect-error: a row has an id
const noRow: Row = {};
// @ts-expect-error: an id is a number or a string
const otherRow: Row = { id: true };

const section: Section<Job, Title> = { id: "s", title: "t", rows: [job] };
// @ts-expect-error: a section has its content
const noTitle: Section<Job, Title> = { id: "s", rows: [job] };
// @ts-expect-error: and rows of its type
const otherRows: Section<Job, Title> = { id: "s", title: "t", rows: [{ id: 1 }] };

const position: Position = { epoch: "e", revision: 1 };
// @ts-expect-error: a revision is a number
const noPosition: Position = { epoch: "e", revision: "1" };
const path: Path = [0, 1];
// @ts-expect-error: a path has two numbers
const noPath: Path = [0];

const rows: Changes<Path, { at: Path; row: Job }, { from: Path; to: Path; row: Job }> = {
  deletes: [path], inserts: [{ at: path, row: job }], moves: [{ from: path, to: [0, 0] }],
  updates: [{ from: path, to: path, row: job }],
};
// @ts-expect-error: a move has two paths
const noMove: typeof rows = { ...rows, moves: [{ from: path }] };

const whole: Message<Job, Title> = { v: 1, kind: "initial", revision: 0, sections: [section] };
const progress: Message<Job, Title> = { v: 1, epoch: "e", kind: "progress", revision: 0 };
const end: Message<Job, Title> = { v: 1, kind: "end", revision: 0, updates: 1 };
const changes: Message<Job, Title> = {
  v: 1, epoch: "e", previousEpoch: "d", kind: "changes", previous: 0, revision: 1, rows,
  sections: {
    deletes: [0], inserts: [{ at: 0, section }], moves: [{ from: 0, to: 1 }], updates: [{ from: 0, to: 0, title: "u" }],
  },
};
// @ts-expect-error: another version
const otherVersion: Message = { v: 2, kind: "end", revision: 0, updates: 1 };
// @ts-expect-error: another kind
const otherKind: Message = { v: 1, kind: "run", revision: 0 };
// @ts-expect-error: changes follow a revision
const noPrevious: Message<Job, Title> = { v: 1, kind: "changes", revision: 1, rows, sections: changes.sections };

const list = new List<Job, Title>([section]);
list.apply(whole);
const states: string[] = list.sections.flatMap((one) => one.rows.map((each) => each.state));
const count: number = list.copy().rowCount + list.row(path).id;
// @ts-expect-error: the number of rows follows from them
list.rowCount = 1;
// @ts-expect-error: a path, and not a number
list.row(1);
// @ts-expect-error: the fields of a row are those of its type
list.row(path).status;
// @ts-expect-error: a message, and not its text
list.apply("{}");

const mirror = new Mirror<Job, Title>();
const isNews: boolean = mirror.take(changes) && !mirror.isEnded;
const known: Position | null = mirror.position;
const mirrored: List<Job, Title> = mirror.list;
mirror.forget();
// @ts-expect-error: there may be none yet
mirror.position.epoch;
// @ts-expect-error: only messages move a mirror
mirror.position = position;
// @ts-expect-error: rows of another type
mirror.take({ v: 1, kind: "initial", revision: 0, sections: [{ id: "s", title: "t", rows: [row] }] });

const options: ConnectOptions<Job, Title> = {
  onUpdate: (newest, message) => {
    const kind: "initial" | "changes" | "progress" | "end" = message.kind;
    newest.row(path).state;
  },
  onStatus: (status, error) => { const reason: string | undefined = error?.message; },
  open: (href) => new EventSource(href),
  delay: (attempt) => attempt * 1_000,
};
// @ts-expect-error: milliseconds are a number
const noDelay: ConnectOptions = { delay: () => "1 s" };
// @ts-expect-error: a connection that a browser knows
const noSource: ConnectOptions = { open: () => 1 };
const connection: Connection<Job, Title> = connect<Job, Title>("/jobs", options);
connect(new URL("wss://example.org/jobs"), { open: (href) => new WebSocket(href) }).close();
connect("/jobs");
// @ts-expect-error: there is no such option
connect("/jobs", { onChange: () => {} });
// @ts-expect-error: an address, and not a number
connect(1);
// @ts-expect-error: a connection tells its status
connection.status = "ended";
const status: Status = connection.status;
const live: Status[] = ["connecting", "live", "waiting", "ended"];
// @ts-expect-error: no status
const noStatus: Status = "closed";

const render = show<Job, Title>(document.body, {
  row: (one, element: HTMLElement = document.createElement("li")) => { element.textContent = one.state; return element; },
  section: (one) => { document.title = one.title; },
});
render(connection.list);
// @ts-expect-error: rows are made by somebody
show(document.body, {});
// @ts-expect-error: an element, and not its id
show("jobs", { row: () => {} });
// @ts-expect-error: a list of other rows
render(new List<Row>());

export { count, end, isNews, known, live, mirrored, noDelay, noMove, noPath, noPosition, noPrevious, noRow };
export { noSource, noStatus, noTitle, otherKind, otherRow, otherRows, otherVersion, progress, states, status };

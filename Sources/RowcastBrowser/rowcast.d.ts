/** A row as it stands in the messages. Ids are numbers or strings, and 1 and "1" are two of them. JavaScript's numbers are
 *  exact up to 2^53: write larger ids as strings. */
export interface Row { id: number | string }

/** A section: its id, its rows and the fields of its content. */
export type Section<R extends Row = Row, Content = {}> = Content & { id: number | string; rows: R[] };

/** A position in the list of a writer. */
export interface Position { epoch: string; revision: number }

/** A section and a row in it, both counted from 0. */
export type Path = [section: number, row: number];

export interface Changes<At, Insert, Update> {
  deletes: At[];
  inserts: Insert[];
  moves: { from: At; to: At }[];
  updates: Update[];
}

/** A message of the wire form; kinds that are not known are skipped. */
export type Message<R extends Row = Row, Content = {}> =
  { v: 1; epoch?: string; revision: number; previousEpoch?: string } & (
    | { kind: "initial"; sections: Section<R, Content>[] }
    | {
      kind: "changes"; previous: number;
      sections: Changes<
        number, { at: number; section: Section<R, Content> }, { from: number; to: number } & Content>;
      rows: Changes<Path, { at: Path; row: R }, { from: Path; to: Path; row: R }>;
    }
    | { kind: "progress"; previous?: number }
    | { kind: "end"; updates: number }
  );

export class List<R extends Row = Row, Content = {}> {
  constructor(sections?: Section<R, Content>[]);
  sections: Section<R, Content>[];
  readonly rowCount: number;
  row(path: Path): R;
  /** A list that is independent of this one. Both have the same rows, which are never changed. */
  copy(): List<R, Content>;
  /** Folds a message with changes, or with the whole list, onto the list. If it throws, the list is of no use any more. */
  apply(message: Message<R, Content>): void;
}

/** A copy of a list that somebody else writes, for a transport of your own. */
export class Mirror<R extends Row = Row, Content = {}> {
  /** The list. Each message makes a new one, so that you may keep it. */
  readonly list: List<R, Content>;
  /** The position to ask the server for; null asks for the whole list. */
  readonly position: Position | null;
  readonly isEnded: boolean;
  /** Takes the next message of a stream; returns whether there was news in it. Throws, and changes nothing, if the message
   *  does not follow the list: forget the position then, and ask for the whole list. */
  take(message: Message<R, Content>): boolean;
  forget(): void;
}

/** connecting: until the first message of an attempt. waiting: after a failure, until the next attempt. ended: the list has
 *  ended, and the connection is closed for good. */
export type Status = "connecting" | "live" | "waiting" | "ended";

export interface ConnectOptions<R extends Row = Row, Content = {}> {
  onUpdate?: (list: List<R, Content>, message: Message<R, Content>) => void;
  /** The error is that of `waiting`. */
  onStatus?: (status: Status, error?: Error) => void;
  /** Makes the connection, in place of `new EventSource(href)` and `new WebSocket(href)`. */
  open?: (href: string) => EventSource | WebSocket;
  /** Milliseconds to wait before the next attempt after so many failures in a row. */
  delay?: (attempt: number) => number;
}

export interface Connection<R extends Row = Row, Content = {}> {
  readonly list: List<R, Content>;
  readonly position: Position | null;
  readonly status: Status;
  /** Closes the connection for good. */
  close(): void;
}

/** Mirrors the list at a URL: over a WebSocket for `ws:` and `wss:`, whose first message is the position as JSON, and over
 *  server-sent events otherwise. Their ids are positions, `EPOCH/REVISION`. A browser that reconnects sends the newest one in the
 *  header `Last-Event-ID`; a connection that is made anew has it in the query, `?lastEventId=`. Prefer the header. */
export function connect<R extends Row = Row, Content = {}>(
  url: string | URL, options?: ConnectOptions<R, Content>): Connection<R, Content>;

/** Returns a function that shows a list as the children of an element, which has no others. `row` and `section` make an element
 *  from the content, or change the one that they get. Headers of sections stand before their rows; without `section` there are
 *  none. Each row keeps its element, also when it moves. */
export function show<R extends Row = Row, Content = {}>(element: Element, options: {
  row: (row: R, element?: any) => Element | void;
  section?: (section: Section<R, Content>, element?: any) => Element | void;
}): (list: List<R, Content>) => void;

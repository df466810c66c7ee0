// Reads the recording, says what it is, and starts.

function facts(updates, end, isPartial) {
  const parts = [`${count(updates, "update")} after the first list`];
  if (isPartial) return [...parts, "the recording goes on"].join(" · ");
  if (!end) return [...parts, "no end line: the recording was cut off"].join(" · ");
  if (end.source) parts.push(count(end.source.events, "event"), `${end.source.rejected.toLocaleString("en")} refused`);
  const latency = end.latencyMicroseconds;
  if (latency) parts.push(`edit to output ${micros(latency.p50)} (p50), ${micros(latency.p99)} (p99), as recorded`);
  return parts.join(" · ");
}

const micros = (value) => (value < 10_000 ? `${value.toLocaleString("en")} µs`
  : `${Math.round(value / 1000).toLocaleString("en")} ms`);

/** The lines that rows moved between, by id: before and after an update. */
function travels(message, before, after) {
  return new Map(message.rows.moves.map(({ from, to }) =>
    [after.list.row(to).id, { from: before.line(from), to: after.line(to) }]));
}

function charts(messages, replay, seek) {
  const changed = (kind) => messages.map((message) =>
    message.kind === "initial" ? 0 : message.rows[kind].length + message.sections[kind].length);
  const { cells, microseconds } = replay;
  return [
    new Chart({
      title: "Cells alive", shape: "stack",
      series: [{ name: "visible", values: cells.visible, look: "a" }, { name: "pooled", values: cells.pooled, look: "b" }],
    }, seek),
    new Chart({
      title: "Cells handed out", shape: "lines",
      series: [{ name: "created", values: cells.created, look: "a" }, { name: "reused", values: cells.reused, look: "c" }],
    }, seek),
    new Chart({
      title: "Operations", shape: "stack",
      series: [
        { name: "+", meaning: "inserts", values: changed("inserts"), look: "insert" },
        { name: "-", meaning: "deletes", values: changed("deletes"), look: "delete" },
        { name: ">", meaning: "moves", values: changed("moves"), look: "move" },
        { name: "~", meaning: "updates", values: changed("updates"), look: "update" },
      ],
    }, seek),
    new Chart({
      title: "Time to apply", shape: "lines", logarithmic: true, format: micros,
      remark: `p50 ${micros(percentile(microseconds, 0.5))} · p99 ${micros(percentile(microseconds, 0.99))}`,
      series: [{ name: "now", values: microseconds, look: "a" }],
    }, seek),
  ];
}

const byId = (id) => document.getElementById(id);
const player = new Player(JSON.parse(byId("recording").textContent));
player.visitFragment();

// The copies for going back are made while there is nothing else to do.
const whenIdle = window.requestIdleCallback ?? ((work) => setTimeout(() => work({ timeRemaining: () => 8 }), 20));
const prepare = (deadline) => {
  while (deadline.timeRemaining() > 3) if (!player.history.prepare()) return;
  whenIdle(prepare);
};
whenIdle(prepare);

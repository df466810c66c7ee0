// Which list is shown: playing, stepping, scrubbing, and the keys for it.

class Player {
  constructor({ name, messages, replay, end, isPartial }) {
    this.history = new History(messages, replay.rowCounts);
    this.last = messages.length - 1;
    this.stage = new Stage();
    this.log = new Log((index) => this.visit(index));
    this.marks = new Map();
    this.charts = charts(messages, replay, (index) => this.visit(index));
    byId("charts").append(...this.charts.map((chart) => chart.element));
    byId("measured").textContent = replay.note;
    byId("name").textContent = clipped(name);
    document.title = `${clipped(name)} · Rowcast`;
    byId("facts").textContent = facts(this.last, end, isPartial);
    byId("scrub").max = this.last;
    this.setUpSpeed();
    this.listen();
  }

  setUpSpeed() {
    const rates = [1, 2, 5, 10, 20, 50, 100, 200];
    const fitting = rates.find((rate) => this.last / rate <= 30) ?? rates.at(-1);
    byId("speed").append(...rates.map((rate) => new Option(`${rate}/s`, rate, false, rate === fitting)));
  }

  get rate() { return Number(byId("speed").value); }

  get position() { return this.history.position; }

  /** Shows the list after an update; an animated step lets rows glide. */
  show(target, { animated = false } = {}) {
    const position = Math.max(0, Math.min(this.last, target));
    const former = this.position;
    const before = this.stage.layout;
    this.history.seek(position);
    const { list, messages } = this.history;
    const message = messages[position];
    const isStep = position === former + 1 && message.kind === "changes";
    this.mark(former);
    this.stage.show(list, {
      marks: this.signs,
      travels: isStep ? travels(message, before, new Layout(list)) : new Map(),
      animated,
    });
    if (byId("follow").checked) this.reveal(message);
    this.log.show(this.history.trail);
    for (const chart of this.charts) chart.show(position);
    this.showPlace(list);
    clearTimeout(this.fading);
    this.fading = setTimeout(() => this.fade(), 1050);
  }

  /** Signs stay for a second, and those of the update that is shown as long as it is. */
  mark(former) {
    const now = performance.now();
    const { position, trail } = this.history;
    const isJump = position < former || position - former > History.trailLength;
    if (isJump) this.marks.clear();
    this.forget(now);
    for (const { index, signs } of trail) {
      if (index !== position && (isJump || index <= former)) continue;
      for (const [id, sign] of signs) this.marks.set(id, { sign, index, until: now + 1000 });
    }
  }

  get signs() { return new Map([...this.marks].map(([id, { sign }]) => [id, sign])); }

  forget(now) {
    for (const [id, { index, until }] of this.marks) {
      if (until < now && index !== this.position) this.marks.delete(id);
    }
  }

  /** Takes away the signs that are old, while nothing else happens. */
  fade() {
    this.forget(performance.now());
    this.stage.marks = this.signs;
    this.stage.draw();
  }

  reveal(message) {
    if (message.kind !== "changes") return;
    const { inserts, moves, updates } = message.rows;
    const path = inserts[0]?.at ?? moves[0]?.to ?? updates[0]?.to;
    if (path) this.stage.reveal(this.stage.layout.line(path));
  }

  showPlace(list) {
    const { revision } = this.history.messages[this.position];
    const scrub = byId("scrub");
    scrub.value = this.position;
    scrub.style.setProperty("--done", `${(this.position / Math.max(1, this.last)) * 100}%`);
    const place = `update ${this.position.toLocaleString("en")} of ${this.last.toLocaleString("en")}`;
    scrub.setAttribute("aria-valuetext", `${place}, revision ${revision}`);
    byId("place").textContent = `${this.position.toLocaleString("en")} / ${this.last.toLocaleString("en")}`;
    byId("place").title = `revision ${revision}`;
    byId("empty").textContent =
      `The list is empty here.${this.position === 0 && this.last > 0 ? " Press play or space." : ""}`;
    byId("list-size").textContent =
      `revision ${revision} · ${count(list.rowCount, "row")} in ${count(list.sections.length, "section")}`;
    // A button that was just pressed keeps the focus, though there is nothing more for it to do.
    for (const id of ["first", "back"]) byId(id).ariaDisabled = this.position === 0;
    for (const id of ["forth", "last"]) byId(id).ariaDisabled = this.position === this.last;
    if (!this.isPlaying) this.announce(place);
  }

  /** Says what a step did, for those who do not see it. Silent while playing. */
  announce(place) {
    const { operations, total } = this.history.trail.at(-1);
    const said = operations.slice(0, 3).map(({ what, text }) => `${what}: ${text}`).join("; ");
    byId("status").textContent = `${place}. ${said}${total > 3 ? `; and ${total - 3} more` : ""}`;
  }

  /** Goes to an update that a person chose. */
  visit(target) {
    this.pause();
    this.show(target, { animated: Math.abs(target - this.position) === 1 });
  }

  play() {
    if (this.last === 0) return;
    if (this.position === this.last) this.show(0);
    this.isPlaying = true;
    this.showPlaying();
    let then = performance.now();
    let due = 0;
    const tick = (now) => {
      if (!this.isPlaying) return;
      due += (Math.min(now - then, 250) / 1000) * this.rate;
      then = now;
      const steps = Math.floor(due);
      due -= steps;
      if (steps > 0) this.show(this.position + steps, { animated: this.rate <= 50 });
      if (this.position === this.last) return this.pause();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.showPlaying();
    this.showPlace(this.history.list);
  }

  toggle() { this.isPlaying ? this.pause() : this.play(); }

  showPlaying() {
    const button = byId("play");
    button.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play");
    button.classList.toggle("playing", this.isPlaying);
  }

  listen() {
    const on = (id, event, action) => byId(id).addEventListener(event, action);
    on("play", "click", () => this.toggle());
    on("first", "click", () => this.visit(0));
    on("back", "click", () => this.visit(this.position - 1));
    on("forth", "click", () => this.visit(this.position + 1));
    on("last", "click", () => this.visit(this.last));
    on("scrub", "input", () => this.visit(Number(byId("scrub").value)));
    addEventListener("hashchange", () => this.visitFragment());
    document.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select")) return;
    const actions = {
      " ": () => this.toggle(),
      ArrowLeft: () => this.visit(this.position - 1),
      ArrowRight: () => this.visit(this.position + 1),
      Home: () => this.visit(0),
      End: () => this.visit(this.last),
      f: () => byId("follow").click(),
    };
    const action = actions[event.key];
    // A button that has the focus is pressed by space, whatever it is for.
    if (!action || (event.key === " " && event.target.matches("button, input[type=checkbox]"))) return;
    event.preventDefault();
    action();
  }

  /** `#end` and `#42` open the page at the last list and at the one after update 42. */
  visitFragment() {
    const target = location.hash.slice(1);
    this.visit(target === "end" ? this.last : Number.parseInt(target, 10) || 0);
  }
}

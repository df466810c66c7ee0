// The list on the screen: only the lines in view exist, each keeps its element while it is in view, and moves glide.

/** Which line of the content shows what: each section's header, then its rows. */
class Layout {
  constructor(list) {
    this.list = list;
    this.starts = [];
    this.count = 0;
    for (const section of list.sections) {
      this.starts.push(this.count);
      this.count += 1 + section.rows.length;
    }
  }

  line([section, row]) { return this.starts[section] + 1 + row; }

  /** The section that a line belongs to. */
  sectionAt(line) {
    let low = 0;
    for (let high = this.starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= line) low = middle;
      else high = middle;
    }
    return low;
  }
}

const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

const words = { "+": "inserted", "-": "deleted", ">": "moved", "~": "updated" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

class Stage {
  static overscan = 6;

  constructor() {
    [this.viewport, this.lines, this.ghosts, this.overhead, this.empty] =
      ["viewport", "lines", "ghosts", "overhead", "empty"].map((id) => document.getElementById(id));
    this.nodes = new Map();
    this.marks = new Map();
    this.layout = new Layout(new List([]));
    this.viewport.addEventListener("scroll", () => this.draw(), { passive: true });
    this.measure();
    new ResizeObserver(() => this.draw()).observe(this.viewport);
  }

  measure() {
    // Whole pixels, as browsers scroll by no less.
    this.height = Math.round(2.25 * parseFloat(getComputedStyle(document.documentElement).fontSize));
    this.viewport.style.setProperty("--line", `${this.height}px`);
  }

  /** Shows a list. `marks`: what happened lately, by id. `travels`: lines before and after of rows that moved. */
  show(list, { marks, travels, animated }) {
    const scrolled = this.viewport.scrollTop;
    const anchor = scrolled > 0 ? this.anchor(list) : undefined;
    this.layout = new Layout(list);
    this.marks = marks;
    this.lines.style.height = `${this.layout.count * this.height}px`;
    this.lines.parentElement.setAttribute("aria-rowcount", this.layout.count);
    this.empty.hidden = this.layout.count > 0;
    if (anchor) this.viewport.scrollTop += this.layout.line(anchor.path) * this.height - anchor.top;
    this.draw(animated && !calm.matches ? { scrolled, travels } : undefined);
  }

  /** The first row in view that a list still has: it is to stay where it is. */
  anchor(list) {
    const seen = [...this.nodes.values()]
      .filter((node) => node.row && node.top >= this.viewport.scrollTop).sort((a, b) => a.top - b.top);
    const ranks = new Map(seen.map((node, rank) => [node.row.id, rank]));
    let best = Infinity;
    let path;
    list.sections.forEach((section, index) => section.rows.forEach((row, at) => {
      const rank = ranks.get(row.id);
      if (rank < best) [best, path] = [rank, [index, at]];
    }));
    return path && { path, top: seen[best].top };
  }

  /** Brings a line into view, if it is not. */
  reveal(line) {
    const { scrollTop, clientHeight } = this.viewport;
    const top = line * this.height;
    if (top < scrollTop + this.height || top + this.height > scrollTop + clientHeight) {
      this.viewport.scrollTop = top - clientHeight / 3;
    }
  }

  /** Makes the elements those of the lines in view. */
  draw(motion) {
    const { layout, height, viewport } = this;
    const scrolled = viewport.scrollTop;
    const first = Math.max(0, Math.floor(scrolled / height) - Stage.overscan);
    const end = Math.min(layout.count, Math.ceil((scrolled + viewport.clientHeight) / height) + Stage.overscan);
    const before = this.nodes;
    this.nodes = new Map();
    let cursor = this.lines.firstChild;
    for (let line = first; line < end; line++) {
      const node = this.node(line, before);
      if (motion) this.glide(node, line, motion, !before.has(node.key));
      node.top = line * height;
      node.element.style.transform = `translateY(${node.top}px)`;
      if (node.element === cursor) cursor = cursor.nextSibling;
      else this.lines.insertBefore(node.element, cursor);
    }
    for (const [key, node] of before) if (!this.nodes.has(key)) this.dismiss(node, motion);
    this.drawOverhead(scrolled);
  }

  /** The element of a line, with its content. */
  node(line, before) {
    const index = this.layout.sectionAt(line);
    const section = this.layout.list.sections[index];
    const row = section.rows[line - this.layout.starts[index] - 1];
    const key = row ? `r${row.id}` : `s${section.id}`;
    const node = before.get(key) ?? { key, element: row ? rowElement() : headerElement() };
    this.nodes.set(key, node);
    if (row) fillRow(node, row, this.marks.get(row.id));
    else fillHeader(node, section);
    node.element.setAttribute("aria-rowindex", line + 1);
    return node;
  }

  /** Lets an element come from where its row was (first, last, invert, play). */
  glide(node, line, { scrolled, travels }, isNew) {
    const origin = isNew ? travels.get(node.row?.id)?.from : node.top / this.height;
    if (origin === undefined) {
      node.element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 260, easing: "ease-out" });
      return;
    }
    const way = (origin - line) * this.height - scrolled + this.viewport.scrollTop;
    const reach = this.viewport.clientHeight;
    const start = Math.max(-reach, Math.min(reach, way));
    if (Math.abs(start) < 0.5) return;
    node.element.animate(
      [{ transform: `translateY(${start}px)` }, { transform: "translateY(0)" }],
      { duration: 320, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)", composite: "add" });
  }

  /** Takes an element away; one that was in view fades, towards where its row went if it moved. */
  dismiss(node, motion) {
    node.element.remove();
    const gone = motion && node.top + this.height > motion.scrolled
      && node.top < motion.scrolled + this.viewport.clientHeight;
    if (!gone) return;
    const top = node.top - motion.scrolled + this.viewport.scrollTop;
    const target = motion.travels.get(node.row?.id)?.to;
    const reach = this.viewport.clientHeight;
    const way = target === undefined ? 0 : Math.max(-reach, Math.min(reach, target * this.height - top));
    this.ghosts.append(node.element);
    node.element.animate(
      [{ transform: `translateY(${top}px)`, opacity: 1 }, { transform: `translateY(${top + way}px)`, opacity: 0 }],
      { duration: 320, easing: "ease-out" }).finished.then(() => node.element.remove(), () => {});
  }

  /** The header of the section at the top of the view stays there until the next one comes. */
  drawOverhead(scrolled) {
    const { layout, height, overhead } = this;
    overhead.hidden = scrolled <= 0 || layout.count === 0;
    if (overhead.hidden) return;
    const index = layout.sectionAt(Math.floor(scrolled / height));
    const section = layout.list.sections[index];
    const next = (layout.starts[index + 1] ?? Infinity) * height - scrolled;
    if (!overhead.firstChild) overhead.append(...headerElement().children);
    fillHeader({ element: overhead }, section);
    overhead.style.transform = `translateY(${Math.min(0, next - height)}px)`;
  }
}

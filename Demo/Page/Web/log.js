// The latest updates in words, the newest first.

class Log {
  constructor(seek) {
    this.element = document.getElementById("log");
    this.seek = seek;
    this.groups = new Map();
  }

  show(trail) {
    const groups = new Map(trail.map((entry) => [entry.index, this.groups.get(entry.index) ?? this.group(entry)]));
    for (const [index, group] of this.groups) if (!groups.has(index)) group.remove();
    this.groups = groups;
    let cursor = this.element.firstChild;
    for (const group of [...groups.values()].reverse()) {
      if (group === cursor) cursor = cursor.nextSibling;
      else this.element.insertBefore(group, cursor);
    }
  }

  group({ index, revision, operations, total }) {
    const group = element("li", "group");
    const number = element("button", "revision", `#${revision}`);
    number.type = "button";
    number.title = "Show the list after this update";
    number.setAttribute("aria-label", `Revision ${revision}: show the list after this update`);
    number.addEventListener("click", () => this.seek(index));
    const list = element("ul");
    for (const { sign, what, text } of operations) {
      const line = element("li", "operation");
      line.dataset.sign = sign;
      line.append(element("span", "mark", sign), element("span", "what", what), element("bdi", "text", text));
      list.append(line);
    }
    const rest = total - operations.length;
    if (rest > 0) list.append(element("li", "rest", `… and ${rest.toLocaleString("en")} more`));
    group.append(number, list);
    return group;
  }
}

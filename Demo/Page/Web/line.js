// The elements of one line each. Texts of the recording become text, never markup.

function cells(className, parts) {
  const line = element("div", `line ${className}`);
  line.setAttribute("role", "row");
  for (const [name, role] of parts) {
    const part = element(name === "mark" || name === "size" ? "span" : "bdi", name);
    part.setAttribute("role", role);
    line.append(part);
  }
  return line;
}

const rowElement = () => cells("row", [["mark", "cell"], ["title", "rowheader"], ["kind", "cell"], ["subtitle", "cell"]]);
const headerElement = () => cells("header", [["title", "rowheader"], ["size", "cell"], ["phase", "cell"]]);

/** What a header says of a section's phase, if it is worth a word. */
function phaseInWords(phase) {
  if (phase === "loading") return "loading…";
  if (phase === "empty") return "nothing here";
  if (phase?.failed === undefined) return "";
  return phase.failed + ({ onRequest: ", can be retried", automatic: ", retrying" }[phase.retry] ?? "");
}

function fillHeader(node, section) {
  const texts = [section.title, section.rows.length.toLocaleString("en"), phaseInWords(section.phase)].map(clipped);
  texts.forEach((text, index) => {
    const part = node.element.children[index];
    if (part.textContent !== text) part.textContent = text;
  });
}

/** Rows are replaced when they change, so the same object has the same content. */
function fillRow(node, row, sign) {
  const [mark, title, kind, subtitle] = node.element.children;
  if (node.row !== row) {
    node.row = row;
    title.textContent = clipped(row.title);
    subtitle.textContent = clipped(row.subtitle ?? "");
    kind.textContent = row.kind === "text" ? "" : clipped(row.kind);
  }
  if (node.sign !== sign) {
    node.sign = sign;
    mark.textContent = sign ?? "";
    if (sign) mark.setAttribute("aria-label", words[sign]);
    else mark.removeAttribute("aria-label");
    node.element.dataset.sign = sign ?? "";
  }
}

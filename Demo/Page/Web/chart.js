// Charts over the updates of a recording, drawn once; only the line at the update that is shown moves.

const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/** Where the sum over all series is greatest in each of at most `limit` shares of the updates. */
function peaks(series, limit = 500) {
  const total = (at) => series.reduce((sum, { values }) => sum + values[at], 0);
  const { length } = series[0].values;
  const shares = Math.min(limit, length);
  return Array.from({ length: shares }, (_, index) => {
    let peak = Math.floor((index * length) / shares);
    for (let at = peak + 1; at < Math.floor(((index + 1) * length) / shares); at++) {
      if (total(at) > total(peak)) peak = at;
    }
    return peak;
  });
}

/** A round number that is not below a value, which is at least 1. */
function rounded(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value);
}

/** The value that a share of all is not above. */
const percentile = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

const width = 1000;
const depth = 100;

/** A line, closed to an area if it has a floor. Amounts hold until the next update, so it goes in steps. */
function steps(values, y, floor) {
  const stride = width / values.length;
  const line = (levels) => levels.map((value, index) => `H${(index * stride).toFixed(1)}V${y(value).toFixed(2)}`).join("");
  const path = `M0 ${y(values[0]).toFixed(2)}${line(values)}H${width}`;
  if (!floor) return path;
  const back = floor.map((value, index) => `V${y(value).toFixed(2)}H${(index * stride).toFixed(1)}`).reverse().join("");
  return `${path}${back}Z`;
}

class Chart {
  /** `series`: name, meaning if the name is a sign, values and look. `shape`: "stack" of areas, or "lines". */
  constructor({ title, remark, series, shape, logarithmic, format }, seek) {
    this.series = series;
    this.format = format ?? ((value) => value.toLocaleString("en"));
    this.count = series[0].values.length;
    this.element = element("figure", "chart");
    const caption = element("figcaption");
    const heading = element("h3", "", title);
    caption.append(heading);
    this.numbers = series.map(({ name, meaning, look }) => {
      const number = element("output", "figures");
      const item = element("span", `key look-${look}`);
      if (meaning) item.title = meaning;
      item.append(element("i", "swatch"), element("span", "name", name), number);
      caption.append(item);
      return number;
    });
    const plot = element("div", "plot");
    plot.append(this.drawing(shape, logarithmic, title));
    this.cursor = element("div", "cursor");
    plot.append(this.cursor);
    heading.append(element("span", "scale figures", this.scale));
    if (remark) caption.append(element("span", "remark figures", remark));
    this.element.append(caption, plot);
    const point = ({ clientX, buttons }) => {
      if (buttons === 0) return;
      const { left, width: extent } = plot.getBoundingClientRect();
      seek(Math.max(0, Math.min(this.count - 1, Math.floor(((clientX - left) / extent) * this.count))));
    };
    plot.addEventListener("pointerdown", (event) => { plot.setPointerCapture(event.pointerId); point(event); });
    plot.addEventListener("pointermove", point);
  }

  drawing(shape, logarithmic, title) {
    const shown = peaks(this.series);
    const values = this.series.map((one) => shown.map((at) => one.values[at]));
    const sums = values.map((_, index) => values[0].map((_, at) =>
      values.slice(0, index + 1).reduce((sum, one) => sum + one[at], 0)));
    const levels = shape === "stack" ? sums : values;
    const top = rounded(Math.max(1, ...levels.flat()));
    const low = logarithmic ? 10 ** Math.floor(Math.log10(Math.max(1, Math.min(...levels.flat())))) : 0;
    const high = logarithmic ? Math.max(top, 10 * low) : top;
    const y = logarithmic
      ? (value) => depth * (1 - Math.log(Math.max(low, value) / low) / Math.log(high / low))
      : (value) => depth * (1 - value / high);
    this.scale = logarithmic ? `log ${this.format(low)} – ${this.format(high)}` : this.format(high);
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${depth}`, preserveAspectRatio: "none", role: "img" });
    drawing.setAttribute("aria-label", `${title}: ${this.series.map((one) =>
      `${one.meaning ?? one.name} at most ${this.format(one.values.reduce((a, b) => Math.max(a, b), 0))}`).join(", ")}`);
    const ground = levels[0].map(() => 0);
    levels.forEach((level, index) => {
      const area = shape === "stack" && { d: steps(level, y, index === 0 ? ground : levels[index - 1]), class: "area" };
      const path = svg("path", area || { d: steps(level, y), class: "stroke" });
      path.classList.add(`look-${this.series[index].look}`);
      drawing.append(path);
    });
    return drawing;
  }

  show(position) {
    this.cursor.style.left = `${((position + 0.5) / this.count) * 100}%`;
    this.series.forEach(({ values }, index) => { this.numbers[index].textContent = this.format(values[position]); });
  }
}

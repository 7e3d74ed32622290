// A distribution that is edited by dragging its bars, by sliders and by typed numbers: one value, three views of it.

const STEP = 0.01, PAGE = 0.1;
const TOP = 14, HEIGHT = 110, COLUMN = 56, BAR = 40, BASE = TOP + HEIGHT;

/** The moved token goes where it is put; the others share the rest in the ratios that they had, or equally if they had none. */
export function moveOne(dist, token, probability) {
  if (dist.length === 1) return [1];
  let rest = 0;
  dist.forEach((p, i) => { if (i !== token) rest += p; });
  return dist.map((p, i) => {
    if (i === token) return probability;
    return rest > 0 ? p * ((1 - probability) / rest) : (1 - probability) / (dist.length - 1);
  });
}

const onStep = (p) => Math.min(1, Math.max(0, Math.round(p / STEP) / Math.round(1 / STEP)));

const svg = (tag, attributes, parent) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
};

const html = (tag, attributes, parent) => {
  const node = Object.assign(document.createElement(tag), attributes);
  parent.append(node);
  return node;
};

function render({ model, el }) {
  const name = model.get("name"), tokens = model.get("tokens"), colour = model.get("colour");
  const root = html("div", { className: "specviz-bars" }, el);
  root.style.setProperty("--bar", colour);
  const width = COLUMN * tokens.length;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${BASE + 20}`, width, height: BASE + 20, role: "group" }, root);
  picture.setAttribute("aria-label", `${name}: bars that can be dragged`);
  const pattern = `specviz-${name}-${Math.random().toString(36).slice(2)}`;
  const hatch = svg("pattern", { id: pattern, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, picture);
  svg("rect", { width: 2.5, height: 7, fill: colour }, hatch);

  // The base of a series of moves of one token: moved to 1 and back, the others find their ratios again.
  let base = null, moving = null, last = null;
  const move = (token, probability) => {
    const now = model.get("value");
    if (token !== moving || !last || now.some((p, i) => p !== last[i])) [moving, base] = [token, now];
    const put = onStep(probability);
    last = put === base[token] ? base : moveOne(base, token, put);
    model.set("value", last);
    model.save_changes(); // at most one message is under way: the next one waits, and only the newest waits
  };

  const bars = tokens.map((token, i) => {
    const label = `${name}(${token})`;
    const x = COLUMN * i, left = x + (COLUMN - BAR) / 2;
    const group = svg("g", { tabindex: 0, role: "slider", "aria-label": label, "aria-orientation": "vertical" }, picture);
    group.setAttribute("data-lm-suppress-shortcuts", ""); // JupyterLab would go from cell to cell by the arrow keys
    group.setAttribute("aria-valuemin", 0);
    group.setAttribute("aria-valuemax", 1);
    svg("rect", { x: x + 1, y: 1, width: COLUMN - 2, height: BASE + 18, class: "ring" }, group);
    const fill = model.get("hatched") ? `url(#${pattern})` : colour;
    const bar = svg("rect", { x: left, width: BAR, fill, stroke: colour, "stroke-width": 1.5, class: "bar" }, group);
    const grip = svg("line", { x1: left - 3, x2: left + BAR + 3, class: "grip" }, group);
    svg("text", { x: x + COLUMN / 2, y: BASE + 15, "text-anchor": "middle" }, group).textContent = token;
    const toPointer = (event) => {
      const box = picture.getBoundingClientRect();
      move(i, (BASE - ((event.clientY - box.top) * (BASE + 20)) / box.height) / HEIGHT);
    };
    group.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      group.focus();
      group.setPointerCapture(event.pointerId); // the drag may leave the picture and come back
      toPointer(event);
    });
    group.addEventListener("pointermove", (event) => { if (group.hasPointerCapture(event.pointerId)) toPointer(event); });
    group.addEventListener("keydown", (event) => {
      const at = model.get("value")[i];
      const to = { ArrowUp: at + STEP, ArrowRight: at + STEP, ArrowDown: at - STEP, ArrowLeft: at - STEP,
        PageUp: at + PAGE, PageDown: at - PAGE, Home: 0, End: 1 }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      move(i, to);
    });
    return { group, bar, grip };
  });
  svg("line", { x1: 0, x2: width, y1: BASE, y2: BASE, class: "axis" }, picture);

  const rows = html("div", { className: "rows" }, root);
  const inputs = tokens.map((token, i) => {
    const label = `${name}(${token})`;
    html("label", { textContent: label, htmlFor: `${pattern}-${i}` }, rows);
    const limits = { min: 0, max: 1, step: STEP };
    const slider = html("input", { type: "range", id: `${pattern}-${i}`, ...limits }, rows);
    const number = html("input", { type: "number", ...limits }, rows);
    number.setAttribute("aria-label", `${label}, typed`);
    slider.addEventListener("input", () => move(i, slider.valueAsNumber));
    const take = () => {
      const untouched = number.value === model.get("value")[i].toFixed(2); // what it shows is rounded
      if (Number.isFinite(number.valueAsNumber) && !untouched) move(i, number.valueAsNumber);
      draw();
    };
    number.addEventListener("change", take);
    number.addEventListener("keydown", (event) => { if (event.key === "Enter") take(); });
    return { slider, number };
  });

  const draw = () => model.get("value").forEach((p, i) => {
    const { group, bar, grip } = bars[i], { slider, number } = inputs[i];
    const y = BASE - p * HEIGHT, text = p.toFixed(2);
    bar.setAttribute("y", y);
    bar.setAttribute("height", p * HEIGHT);
    grip.setAttribute("y1", y);
    grip.setAttribute("y2", y);
    group.setAttribute("aria-valuenow", text);
    group.setAttribute("aria-valuetext", text);
    slider.value = p;
    number.value = text;
  });
  model.on("change:value", draw);
  draw();
  return () => model.off("change:value", draw);
}

export default { render };

/* Draws the page from the JSON in it. Every number that is shown is one of that JSON's.
 * For the test: html[data-errors], html[data-drawn]; svg[data-figure] with circle.pt[data-sha][data-value],
 * path.area[data-part][data-values]; td[data-figure][data-sha]. "#all" in the address: the table with every commit. */
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const commits = data.commits;
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#a6a6a6", "#b58be0"];
const LEFT = 54, RIGHT = 12, TOP = 22, BOTTOM = 20, HEIGHT = 168, TALL = 300;
const state = { scale: "close", at: commits.length - 1, cards: [], worseOnly: false,
  sort: null, down: true, filter: "", kind: "work", all: location.hash === "#all" };

// --- elements and numbers ---

function fill(node, attributes, children) {
  for(const [key, value] of Object.entries(attributes || {})) {
    if(key.startsWith("on"))
      node.addEventListener(key.slice(2), value);
    else if(value !== null && value !== false)
      node.setAttribute(key, value);
  }
  node.append(...children.filter(child => child !== null));
  return node;
}

const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const number = value => value === null || value === undefined ? "–" :
  value.toLocaleString("en-GB", { maximumFractionDigits: value < 1000 ? 2 : 0 });
const sha = i => commits[i].sha.slice(0, 7) + (commits[i].dirty ? "+" : "");
const day = i => new Date(commits[i].date).toLocaleDateString("en-GB",
  { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const present = values => values.filter(value => value !== null);
const round = value => Math.round(value * 100) / 100;

function lastOf(values, from) {
  for(let i = from === undefined ? values.length - 1 : from; i >= 0; i--) {
    if(values[i] !== null)
      return i;
  }
  return -1;
}

function percent(before, after) {
  if(!before)
    return "";
  const share = (after / before - 1) * 100, size = Math.abs(share);
  if(share > 900)
    return "× " + number(Math.round(after / before));
  return (share < 0 ? "−" : "+") + size.toFixed(size < 0.1 ? 2 : size < 10 ? 1 : 0) + " %";
}

const isWorse = (figure, before, after) =>
  figure.bound && figure.bound[0] === "floor" ? after < before : after > before;
const beyond = (figure, value) => figure.bound && value !== null &&
  (figure.bound[0] === "floor" ? value < figure.bound[1]
    : value > figure.bound[1] + (figure.unit === "allocations" ? 0.005 : 0));
const ordered = (words, pressed, click) => el("button", { "aria-pressed": String(pressed), onclick: click }, words);

// --- scales ---

function ticksOf(low, high, count) {
  const raw = Math.max(1, (high - low) / count), power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(x => x * power).find(x => x >= raw * 0.999);
  const ticks = [];
  for(let t = Math.ceil(low / step) * step; t <= high + step / 1e6; t += step)
    ticks.push(round(t));
  return ticks;
}

/* {y(value), ticks, inside(value)}: "close" fits our values and never shows less than a fifth of them, so that a
 * small change looks small (nor less than four, so that every tick is a whole number); "zero" begins at zero; "all" is
 * logarithmic and has room for every line. */
function scaleOf(figure, mode, height) {
  const floor = height - BOTTOM, room = floor - TOP, ours = present(figure.values);
  const lines = figure.refs.map(ref => ref[1]).concat(figure.bound ? [figure.bound[1]] : []);
  if(mode === "all") {
    const log = value => Math.log10(1 + Math.max(0, value));
    const all = ours.concat(lines), low = Math.floor(log(Math.min(...all)));
    const high = Math.max(low + 1, log(Math.max(...all)) * 1.02), ticks = [];
    const every = high - low > 5 ? 2 : 1;
    for(let p = low; p <= high; p += every)
      ticks.push(p === 0 ? 0 : 10 ** p);
    return { y: value => floor - (log(value) - low) / (high - low) * room, ticks, inside: () => true };
  }
  const near = lines.filter(value => value <= Math.max(...ours) * 1.6 && value >= Math.min(...ours) * 0.6);
  let low = Math.min(...ours, ...near), high = Math.max(...ours, ...near);
  const span = Math.max(high - low, high * 0.2, 4), middle = (low + high) / 2;
  low = mode === "zero" ? 0 : Math.max(0, middle - span * 0.56);
  high = mode === "zero" ? Math.max(high, 4) * 1.06 : Math.max(middle + span * 0.56, low + span);
  return { y: value => floor - (value - low) / (high - low) * room, ticks: ticksOf(low, high, 4),
    inside: value => value >= low && value <= high };
}

function xOf(width) {
  const room = width - LEFT - RIGHT - 8, n = commits.length;
  return i => LEFT + 4 + (n > 1 ? i * room / (n - 1) : room / 2);
}

// --- a graph ---

function axes(scale, width, height) {
  const parts = [];
  for(const tick of scale.ticks) {
    const y = round(scale.y(tick));
    parts.push(draw("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }));
    parts.push(draw("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, short(tick)));
  }
  const last = commits.length - 1;
  parts.push(draw("text", { x: LEFT, y: height - 5 }, sha(0)));
  if(last > 0)
    parts.push(draw("text", { x: width - RIGHT, y: height - 5, "text-anchor": "end" }, sha(last) + ", " + day(last)));
  return parts;
}

function short(value) {
  if(value >= 1e6)
    return number(value / 1e6) + " M";
  return value >= 1e5 ? number(value / 1000) + " k" : number(value);
}

/* The ceiling and libcurl's figures: lines where the scale has room for them, words at the upper edge where not. */
function rules(figure, scale, width) {
  const all = (figure.bound ? [["bound", figure.bound[0], figure.bound[1]]] : [])
    .concat(figure.refs.map(ref => ["ref", ref[0], ref[1]]));
  const parts = [], labels = [], above = [];
  let label = null, labelled = 0;
  for(const [kind, name, value] of all) {
    if(!scale.inside(value)) {
      above.push(name + " " + short(value));
      continue;
    }
    const y = round(scale.y(value));
    parts.push(draw("line", { class: kind, x1: LEFT, x2: width - RIGHT, y1: y, y2: y, "data-rule": value }));
    if(label && Math.abs(labelled - y) < 12) {
      label.textContent += " · " + name + " " + short(value);
      label.setAttribute("y", Math.min(labelled, y) - 4);
      continue;
    }
    label = draw("text", { class: kind + "-text", x: width - RIGHT, y: y - 4, "text-anchor": "end" },
      name + " " + short(value));
    labelled = y;
    labels.push(label);
  }
  if(above.length)
    parts.push(draw("text", { class: "above", x: width - RIGHT, y: 12, "text-anchor": "end" },
      (figure.bound && figure.bound[0] === "floor" ? "↕ " : "↑ ") + fitted(above, width)));
  return parts.concat(labels);
}

function fitted(names, width) {
  const text = names.join(" · "), most = Math.floor((width - LEFT) / 5.8);
  return text.length <= most ? text : text.replace(/libcurl (8\.22|7\.88)/g, "$1").slice(0, most);
}

/* A value holds until the commit that changes it: steps. A gap where a commit has none. */
function steps(values, x, y) {
  let path = "", open = false;
  values.forEach((value, i) => {
    if(value === null) {
      path += open ? "H" + round(x(i) - 3) : "";
      open = false;
      return;
    }
    path += open ? "H" + round(x(i)) + "V" + round(y(value)) : "M" + round(x(i)) + " " + round(y(value));
    open = true;
  });
  return path;
}

/* Why there is no value: it could not be measured (true), or there was no such struct or file (false). */
const unmeasured = (figure, i) => figure.kind === "work" || figure.kind === "total" || "build" in commits[i].absent;

function marker(x, y, up) {
  const d = up ? -1 : 1;
  return `M${round(x)} ${round(y + d * 5)}l5 ${-d * 9}h-10z`;
}

function points(figure, x, scale) {
  const parts = [], radius = commits.length > 150 ? 1.2 : commits.length > 60 ? 1.8 : 2.4;
  figure.values.forEach((value, i) => {
    if(value === null && !unmeasured(figure, i))
      return;
    if(value === null)
      parts.push(draw("path", { class: "absent", d: `M${round(x(i) - 3)} ${HEIGHT - BOTTOM - 6}l6 6m0 -6l-6 6` }));
    else
      parts.push(draw("circle", { class: "pt", cx: round(x(i)), cy: round(scale.y(value)), r: radius,
        "data-sha": commits[i].sha, "data-value": value }));
  });
  for(const [i, before, after] of figure.marks) {
    const up = after > before, y = scale.y(after) + (up ? -9 : 9);
    parts.push(draw("path", { class: "mark " + (isWorse(figure, before, after) ? "worse" : "better"),
      d: marker(x(i), Math.min(HEIGHT - BOTTOM - 4, Math.max(TOP - 6, y)), up) }));
  }
  return parts;
}

function cursor(height) {
  return draw("line", { class: "cursor", x1: 0, x2: 0, y1: TOP - 6, y2: height - BOTTOM });
}

function plot(card) {
  const width = Math.max(240, card.svg.clientWidth), figure = card.figure;
  const scale = scaleOf(figure, state.scale, HEIGHT), x = xOf(width);
  card.x = x;
  card.cursor = cursor(HEIGHT);
  card.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  card.svg.replaceChildren(...axes(scale, width, HEIGHT), ...rules(figure, scale, width), card.cursor,
    draw("path", { class: "line", d: steps(figure.values, x, scale.y) }), ...points(figure, x, scale));
}

// --- the code by part ---

function stackPlot(card) {
  const width = Math.max(240, card.svg.clientWidth), names = Object.keys(data.parts), x = xOf(width);
  const total = commits.map((_, i) => names.reduce((sum, name) => sum + (data.parts[name][i] || 0), 0));
  const figure = { values: total, refs: [], bound: null };
  const scale = scaleOf(figure, "zero", TALL), parts = [], under = total.map(() => 0);
  names.forEach((name, k) => {
    const low = under.map(v => scale.y(v));
    data.parts[name].forEach((v, i) => { under[i] += v || 0; });
    const high = under.map(v => scale.y(v)), last = commits.length - 1;
    parts.push(draw("path", { class: "area", fill: COLOURS[k % COLOURS.length], d: area(low, high, x, width),
      "data-part": name, "data-values": JSON.stringify(data.parts[name]) }));
    if(low[last] - high[last] > 14)
      parts.push(draw("text", { class: "inside", x: x(last) - 8, y: round((low[last] + high[last]) / 2 + 4),
        "text-anchor": "end" }, name));
  });
  card.x = x;
  card.cursor = cursor(TALL);
  card.svg.setAttribute("viewBox", `0 0 ${width} ${TALL}`);
  card.svg.replaceChildren(...axes(scale, width, TALL), ...parts, card.cursor);
}

/* Steps along the upper edge and back along the lower one; one commit alone fills the width. */
function area(low, high, x, width) {
  const n = high.length, at = i => round(n > 1 ? x(i) : i ? width - RIGHT : LEFT);
  let path = `M${at(0)} ${round(high[0])}`;
  if(n === 1)
    return path + `H${at(1)}V${round(low[0])}H${at(0)}z`;
  for(let i = 1; i < n; i++)
    path += `H${at(i)}V${round(high[i])}`;
  path += `V${round(low[n - 1])}`;
  for(let i = n - 1; i > 0; i--)
    path += `V${round(low[i])}H${at(i)}V${round(low[i - 1])}`;
  return path + `H${at(0)}z`;
}

function stackCard() {
  const card = { plot: stackPlot, id: "parts", legend: el("div", { class: "legend" }),
    svg: draw("svg", { height: TALL, role: "img", tabindex: 0, "data-stack": "parts",
      "aria-label": "Bytes of code by part of the library" }) };
  card.show = i => card.legend.replaceChildren(...Object.keys(data.parts).map((name, k) =>
    el("span", {}, el("i", { style: `background:${COLOURS[k % COLOURS.length]}` }), name + " ",
      el("span", { class: "dim" }, number(data.parts[name][i]))), ).reverse());
  card.tell = i => [el("b", {}, number(Object.values(data.parts).reduce((s, v) => s + (v[i] || 0), 0)) + " bytes")];
  card.node = el("div", { class: "card wide-card", id: "parts" },
    el("h3", {}, "Code of the library by part, without the command"), card.svg, card.legend);
  return card;
}

// --- a card ---

function summary(card, i) {
  const figure = card.figure, at = lastOf(figure.values, i), first = figure.values.findIndex(v => v !== null);
  const value = at < 0 ? null : figure.values[at], parts = [el("b", {}, number(value)), el("span", {}, figure.unit)];
  if(at > first && value !== figure.values[first])
    parts.push(el("span", { class: isWorse(figure, figure.values[first], value) ? "worse" : "better" },
      `${value > figure.values[first] ? "▲" : "▼"} ${percent(figure.values[first], value) ||
        "from " + number(figure.values[first])} since ${sha(first)}`));
  if(beyond(figure, value))
    parts.push(el("span", { class: "over" }, "beyond its " + figure.bound.join(" ")));
  return parts;
}

function versus(figure) {
  const value = figure.values[lastOf(figure.values)];
  const times = ref => value > 0 && ref > value * 1.05 ? ` (${number(Math.round(ref / value * 10) / 10)} ×)` : "";
  const words = figure.refs.map(([name, ref]) => `${name}: ${number(ref)}${times(ref)}`);
  return words.concat(figure.bound ? [`${figure.bound[0]} ${number(figure.bound[1])}`] : []).join(" · ");
}

function chartCard(id) {
  const figure = data.figures[id], card = { id, figure, now: el("div", { class: "now" }) };
  card.svg = draw("svg", { height: HEIGHT, role: "img", tabindex: 0, "data-figure": id,
    "aria-label": `${figure.title}, ${figure.unit}, by commit` });
  card.plot = plot;
  card.show = i => card.now.replaceChildren(...summary(card, i));
  card.tell = i => tellFigure(figure, i);
  card.node = el("div", { class: "card", id: "figure-" + id.replace(/\W+/g, "-") }, el("h3", {}, figure.title),
    figure.kind === "work" ? el("div", { class: "id" }, el("code", {}, id)) : null, card.now, card.svg,
    el("p", { class: "refs" }, versus(figure)));
  return card;
}

function tellFigure(figure, i) {
  const value = figure.values[i], before = lastOf(figure.values, i - 1);
  if(value === null)
    return [el("b", {}, unmeasured(figure, i) ? "not measured" : "not there"),
      el("div", { class: "dim" }, commits[i].absent.build || "")];
  const parts = [el("b", {}, `${number(value)} ${figure.unit}`)];
  if(before >= 0) {
    const from = figure.values[before];
    parts.push(el("div", {}, value === from ? "as before" :
      `${number(from)} before: ${value > from ? "+" : "−"}${number(Math.abs(round(value - from)))} ${
        from ? "(" + percent(from, value) + ")" : ""}`));
  }
  return parts;
}

const between = i => commits[i].apart > 1 ? ` (or one of the ${commits[i].apart - 1} commits before it)` : "";

function tip(card, i, event) {
  const box = document.getElementById("tip");
  box.replaceChildren(...card.tell(i), el("div", {}, commits[i].subject),
    el("div", { class: "dim" }, `${sha(i)}, ${day(i)}${between(i)}`));
  box.hidden = false;
  const left = Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8);
  const under = event.clientY + 18, over = event.clientY - box.offsetHeight - 14;
  box.style.left = Math.max(8, left) + "px";
  box.style.top = (under + box.offsetHeight < innerHeight ? under : Math.max(8, over)) + "px";
}

function hide() {
  document.getElementById("tip").hidden = true;
  select(commits.length - 1, false);
}

function select(i, show) {
  state.at = i;
  for(const card of state.cards) {
    card.show(i);
    card.cursor.setAttribute("x1", round(card.x(i)));
    card.cursor.setAttribute("x2", round(card.x(i)));
    card.cursor.classList.toggle("on", show);
  }
}

function nearest(card, clientX) {
  const box = card.svg.getBoundingClientRect(), at = clientX - box.left;
  let best = 0;
  for(let i = 1; i < commits.length; i++) {
    if(Math.abs(card.x(i) - at) < Math.abs(card.x(best) - at))
      best = i;
  }
  return best;
}

function listen(card) {
  const point = event => {
    const i = nearest(card, event.clientX);
    select(i, true);
    tip(card, i, event);
  };
  card.svg.addEventListener("pointermove", point);
  card.svg.addEventListener("pointerdown", point);
  card.svg.addEventListener("pointerleave", hide);
  card.svg.addEventListener("blur", hide);
  card.svg.addEventListener("keydown", event => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if(!way)
      return;
    event.preventDefault();
    const i = Math.max(0, Math.min(commits.length - 1, state.at + way));
    const box = card.svg.getBoundingClientRect();
    select(i, true);
    tip(card, i, { clientX: box.left + card.x(i), clientY: box.top + 40 });
  });
}

// --- the page's head, and which commit changed what ---

function tile(value, words, bad) {
  return el("div", { class: "tile" + (bad ? " bad" : "") }, el("b", {}, value), words);
}

function head() {
  const last = commits.length - 1, all = Object.values(data.figures).filter(f => f.bound);
  const judged = all.filter(f => f.values[last] !== null), over = judged.filter(f => beyond(f, f.values[last]));
  const marks = Object.values(data.figures).filter(f => f.kind === "work").map(f => f.marks.filter(m => m[0] === last)
    .map(m => isWorse(f, m[1], m[2]))).flat();
  document.getElementById("latest").append("At ", el("span", { class: "sha" }, sha(last)),
    `, ${day(last)}: ${commits[last].subject}`);
  document.getElementById("tiles").append(tile(number(judged.length - over.length), "within their ceilings"),
    tile(number(over.length), "over" + (over.length ? ": " + over.map(f => f.title).join("; ") : ""), over.length),
    tile(number(marks.filter(x => x).length), "worse by this commit" + between(last)),
    tile(number(marks.filter(x => !x).length), "better by it"),
    tile(number(commits.length), `commits, since ${sha(0)}`));
}

function changesOf(i) {
  const found = [];
  for(const group of data.groups) {
    for(const id of group.charts.filter(x => data.figures[x].kind !== "total")) {
      const figure = data.figures[id];
      for(const [at, before, after] of figure.marks.filter(mark => mark[0] === i))
        found.push({ id, figure, before, after, worse: isWorse(figure, before, after), at });
    }
  }
  return found.sort((a, b) => b.worse - a.worse);
}

function visit(id) {
  const card = state.cards.find(c => c.id === id);
  card.node.scrollIntoView({ block: "center" });
  card.node.classList.add("seen");
  setTimeout(() => card.node.classList.remove("seen"), 2500);
}

function changeLine(change) {
  return el("button", { class: "change", onclick: () => { visit(change.id); select(change.at, true); } },
    el("span", { class: change.worse ? "worse" : "better" }, change.after > change.before ? "▲ " : "▼ "),
    `${change.figure.title}: ${number(change.before)} → ${number(change.after)} ${change.figure.unit} `,
    el("span", { class: change.worse ? "worse" : "better" }, percent(change.before, change.after)));
}

function log() {
  const entries = [];
  for(let i = commits.length - 1; i >= 0; i--) {
    const found = changesOf(i).filter(change => change.worse || !state.worseOnly);
    if(found.length)
      entries.push(el("div", { class: "commit" }, el("div", {}, el("span", { class: "sha" }, sha(i)),
        commits[i].subject, el("span", { class: "dim" }, between(i))), ...found.map(changeLine)));
  }
  const more = entries.splice(4);
  const rest = more.length ? [el("details", {}, el("summary", {}, `Earlier commits: ${more.length}`), ...more)] : [];
  document.getElementById("log").replaceChildren(...entries, ...rest);
  if(!entries.length)
    document.getElementById("log").append(el("p", { class: "note" }, "None."));
  document.getElementById("direction").replaceChildren(
    ordered("All changes", !state.worseOnly, () => { state.worseOnly = false; log(); }),
    ordered("Worse only", state.worseOnly, () => { state.worseOnly = true; log(); }));
}

// --- the table ---

function shown() {
  const words = state.filter.toLowerCase();
  return Object.entries(data.figures).filter(([id, figure]) =>
    (state.kind === "all" || state.kind === (figure.kind === "total" ? "code" : figure.kind)) &&
    (id + " " + figure.title + " " + figure.unit).toLowerCase().includes(words));
}

function columns() {
  const last = commits.length - 1, ref = n => figure => (figure.refs.find(r => r[0] === n) || [])[1];
  const names = [...new Set(Object.values(data.figures).flatMap(f => f.refs.map(r => r[0])))];
  const out = [{ name: "figure", of: figure => figure.title },
    { name: "bound", of: figure => figure.bound ? figure.bound[1] : null },
    ...names.map(name => ({ name, of: ref(name) }))];
  for(let i = last; i >= (state.all ? 0 : Math.max(0, last - 7)); i--)
    out.push({ name: sha(i), of: figure => figure.values[i], at: i });
  return out;
}

function sorted(rows, column) {
  if(!column)
    return rows;
  const value = row => column.of(row[1]), way = state.down ? -1 : 1;
  const absent = x => x === null || x === undefined;
  return rows.sort((a, b) => absent(value(a)) - absent(value(b)) ||
    (typeof value(a) === "string" ? way * -value(a).localeCompare(value(b)) : way * (value(a) - value(b))) || 0);
}

function cell(id, figure, column) {
  const value = column.of(figure);
  if(column.name === "figure")
    return el("td", {}, value,
      el("div", { class: "dim" }, figure.kind === "work" ? `${figure.unit}, ${id}` : figure.unit));
  if(column.at === undefined)
    return el("td", { class: "dim" }, number(value));
  const mark = figure.marks.find(m => m[0] === column.at);
  const sign = mark ? mark[2] > mark[1] ? "▲ " : "▼ " : "";
  const kind = !mark ? "same" : isWorse(figure, mark[1], mark[2]) ? "worse" : "better";
  return el("td", { class: kind, "data-figure": id, "data-sha": commits[column.at].sha,
    "data-value": value, title: commits[column.at].subject }, sign + number(value));
}

function table() {
  const all = columns(), column = all.find(c => c.name === state.sort);
  const click = c => {
    state.down = state.sort === c.name ? !state.down : true;
    state.sort = c.name;
    table();
  };
  const top = all.map(c => el("th", { title: c.at === undefined ? "" : commits[c.at].subject,
    "aria-sort": c === column ? state.down ? "descending" : "ascending" : null },
  el("button", { onclick: () => click(c) }, c.name + (c === column ? state.down ? " ↓" : " ↑" : ""))));
  const rows = sorted(shown(), column).map(([id, figure]) => el("tr", {}, ...all.map(c => cell(id, figure, c))));
  document.getElementById("table").replaceChildren(el("thead", {}, el("tr", {}, ...top)), el("tbody", {}, ...rows));
}

function tableControls() {
  const kinds = [["work", "Work"], ["struct", "Structs"], ["code", "Code by file"], ["all", "All"]];
  if(state.all)
    state.kind = "all";
  const node = document.getElementById("choose"), again = () => { tableControls(); table(); };
  node.replaceChildren(
    el("input", { type: "search", placeholder: "Filter", "aria-label": "Filter", value: state.filter,
      oninput: event => { state.filter = event.target.value; table(); } }),
    ...kinds.map(([kind, words]) => ordered(words, state.kind === kind, () => { state.kind = kind; again(); })),
    ordered("Every commit", state.all, () => { state.all = !state.all; again(); }));
}

// --- all together ---

function missing() {
  const lines = [];
  commits.forEach((commit, i) => {
    for(const [name, why] of Object.entries(commit.absent))
      lines.push(el("li", {}, el("span", { class: "sha" }, sha(i) + " "), `${name}: ${why}`));
  });
  if(lines.length)
    document.getElementById("missing").append(el("details", {},
      el("summary", {}, `What could not be measured (${lines.length})`), el("ul", {}, ...lines)));
}

function scaleControls() {
  const kinds = [["close", "Close"], ["zero", "From zero"], ["all", "With libcurl (logarithmic)"]];
  document.getElementById("scale").replaceChildren(el("span", { class: "label" }, "Scale"),
    ...kinds.map(([kind, words]) => ordered(words, state.scale === kind, () => {
      state.scale = kind;
      scaleControls();
      redraw();
    })));
}

function graphs() {
  const place = document.getElementById("graphs");
  for(const group of data.groups) {
    const cards = group.charts.map(chartCard);
    if(group.title === "Code" && Object.keys(data.parts).length)
      cards.unshift(stackCard());
    state.cards.push(...cards);
    place.append(el("section", {}, el("h2", {}, group.title), el("p", { class: "note" }, group.note),
      el("div", { class: "cards" }, ...cards.map(card => card.node))));
  }
  state.cards.forEach(listen);
}

function redraw() {
  state.cards.forEach(card => card.plot(card));
  select(state.at, false);
  document.documentElement.dataset.drawn = state.cards.length;
}

head();
log();
scaleControls();
graphs();
redraw();
tableControls();
table();
missing();
let width = innerWidth;
addEventListener("resize", () => {
  if(innerWidth !== width)
    redraw();
  width = innerWidth;
});
addEventListener("hashchange", () => { state.all = location.hash === "#all"; tableControls(); table(); });

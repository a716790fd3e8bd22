// The workshop's page: what is typed goes to the desk, what is drawn comes back as events.
"use strict";

const byId = (id) => document.getElementById(id);
const text = byId("text");
const watching = document.body.classList.contains("watching");
const TYPING = 120; // milliseconds in which keys are taken for one edit
let read = null; // what the storyboard says, as it was last understood
let about = {}; // the file, whether it is saved, the look
let chosen = null; // the place of the chosen shot
let editedAt = null; // when the edit was made whose stills are awaited
let awaited = Infinity; // its number
let typing = null;

function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...inside);
  return element;
}

async function post(path, body = {}) {
  try {
    const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
    const said = answer.status === 204 ? {} : await answer.json();
    if (answer.status === 422) say(said.problem);
    return { ok: answer.ok, ...said };
  } catch {
    return { ok: false, problem: "the studio has ended" };
  }
}

function say(line) { byId("status").textContent = line; }

// The text, and steps back from what was typed or turned

const past = [];
const future = [];
let last = { text: "", caret: 0, when: 0 };

function remember(how) {
  // Keys and turns within a second are one step.
  const now = performance.now();
  if (text.value === last.text) return;
  if (now - last.when > 1000 || how !== last.how) past.push({ text: last.text, caret: last.caret });
  future.length = 0;
  last = { text: text.value, caret: text.selectionStart, when: now, how };
}

function step(from, to) {
  if (!from.length) return;
  to.push({ text: text.value, caret: text.selectionStart });
  const { text: before, caret } = from.pop();
  text.value = before;
  text.setSelectionRange(caret, caret);
  last = { text: before, caret, when: 0 };
  edited(0);
}

function put(changed) {
  // Another text in place of this one; the caret stays where it is, seen from the nearer end.
  const caret = text.selectionStart;
  const same = text.value.slice(0, caret) === changed.slice(0, caret);
  const at = same ? caret : Math.max(0, changed.length - (text.value.length - caret));
  const { scrollTop, scrollLeft } = text;
  text.value = changed;
  text.setSelectionRange(at, at);
  text.scrollTop = scrollTop;
  text.scrollLeft = scrollLeft;
}

function edited(wait = TYPING) {
  about.saved = false;
  begun();
  drawText();
  drawFile();
  clearTimeout(typing);
  typing = setTimeout(async () => {
    typing = null;
    awaited = (await post("/edit", { text: text.value, shot: shotAtCaret() })).number ?? Infinity;
  }, wait);
}

function shotAtCaret() {
  if (!read) return null;
  const line = text.value.slice(0, text.selectionStart).split("\n").length;
  const shots = read.shots.filter((shot) => shot.line && shot.line <= line);
  return shots.length ? shots[shots.length - 1].place : null;
}

function drawText() {
  if (watching) return;
  const lines = text.value.split("\n");
  const remarks = new Map();
  for (const remark of read?.remarks ?? []) {
    if (remark.line && !remarks.has(remark.line)) remarks.set(remark.line, remark);
  }
  const shots = read?.shots ?? [];
  const here = shots.findIndex((shot) => shot.place === chosen);
  const from = here < 0 ? Infinity : shots[here].line;
  const to = here < 0 ? 0 : (shots[here + 1]?.line ?? Infinity);
  const mirror = document.createDocumentFragment();
  const gutter = document.createDocumentFragment();
  lines.forEach((line, index) => {
    const number = index + 1;
    const remark = remarks.get(number);
    const row = make("div");
    if (number >= from && number < to) row.classList.add("chosen");
    row.append(...coloured(line));
    if (remark) {
      const beside = make("em", { className: remark.kind }, make("span", {}, remark.message));
      beside.style.setProperty("--length", line.length);
      row.append(beside);
    }
    mirror.append(row);
    gutter.append(make("div", { className: remark?.kind ?? "" }, String(number)));
  });
  byId("mirror").replaceChildren(mirror);
  byId("gutter").replaceChildren(gutter);
  scrolled();
  atCaret();
}

function* coloured(line) {
  const comment = line.search(/(^|\s)#(?=([^"']*["'][^"']*["'])*[^"']*$)/);
  const said = comment < 0 ? line : line.slice(0, comment);
  const key = /^(\s*(?:- )*)([\w-]+)(?=:(\s|$))/.exec(said);
  if (key) yield* [key[1], make("b", {}, key[2]), said.slice(key[0].length)];
  else yield said;
  if (comment >= 0) yield make("i", {}, line.slice(comment));
}

function scrolled() {
  const mirror = byId("mirror");
  mirror.style.transform = `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
  mirror.style.setProperty("--seen", `${text.scrollLeft + text.clientWidth - 20}px`);
  byId("gutter").scrollTop = text.scrollTop;
}

function atCaret() {
  // Where something is being typed, nothing lies over it.
  const rows = byId("mirror").children;
  const line = text.value.slice(0, text.selectionStart).split("\n").length - 1;
  for (const row of byId("mirror").querySelectorAll(".here")) row.classList.remove("here");
  if (document.activeElement === text) rows[line]?.classList.add("here");
}

function goTo(line, column) {
  const lines = text.value.split("\n").slice(0, line - 1);
  const at = lines.reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1);
  text.focus();
  text.setSelectionRange(at, at);
  text.scrollTop = Math.max(0, (line - 6) * parseFloat(getComputedStyle(text).lineHeight));
  choose(shotAtCaret(), true);
}

// The file, and what is wrong with it

function drawFile() {
  const name = about.file ?? "";
  byId("file").textContent = name + (watching || !name ? "" : about.saved ? "" : " — not saved");
  document.title = `${read?.title || name || "Clockhead"} — ${watching ? "watch" : "studio"}`;
  byId("title").textContent = read?.title || "Clockhead studio";
  byId("moved").hidden = !about.moved;
  for (const name of ["theme", "aspect", "language"]) byId(name).value = about.look?.[name] ?? "";
  if (!watching) {
    byId("save").disabled = !about.file;
    byId("render").disabled = !about.file;
  }
}

function drawRemarks() {
  const title = byId("remarks-title");
  const all = read?.remarks ?? [];
  const wrong = all.filter((remark) => remark.kind !== "note");
  title.textContent = wrong.length
    ? `${wrong.length} ${wrong.length === 1 ? "problem" : "problems"}`
    : read ? "All that it says holds" : "Reading…";
  title.classList.toggle("well", Boolean(read) && !wrong.length);
  byId("remarks").replaceChildren(...all.map((remark) => {
    const at = remark.line ? `${remark.line}:${remark.column}` : "";
    const inside = [...(at ? [make("span", { className: "at" }, at)] : []), remark.message];
    const line = remark.line && !watching
      ? make("button", { type: "button", onclick: () => goTo(remark.line, remark.column) }, ...inside)
      : make("span", {}, ...inside);
    return make("li", { className: remark.kind }, line);
  }));
}

// Shots and their stills

const cards = new Map(); // by place

function drawShots() {
  const list = byId("shots");
  document.documentElement.style.setProperty("--across", read.width);
  document.documentElement.style.setProperty("--down", read.height);
  const shots = new Map(read.shots.map((shot) => [shot.place, shot]));
  for (const [place, card] of cards) {
    if (!shots.has(place)) { card.element.remove(); cards.delete(place); }
  }
  for (const shot of read.shots) {
    let card = cards.get(shot.place);
    if (!card || card.id !== shot.id) {
      card?.element.remove();
      card = newCard(shot);
      cards.set(shot.place, card);
    }
    drawCard(card, shot);
  }
  const ordered = [...cards].sort(([a], [b]) => a - b).map(([, card]) => card.element);
  // A clip that is playing stops when it is put into the page again, even where it is.
  if (ordered.some((element, at) => list.children[at] !== element)) list.replaceChildren(...ordered);
}

function newCard(shot) {
  const open = watching
    ? make("h3")
    : make("button", { type: "button", onclick: () => toShot(shot.place) });
  const stage = make("span", { className: "stage" });
  const says = make("div");
  const controls = make("div", { className: "controls", hidden: true });
  const clip = newClip();
  const stills = make("div", { className: "stills" });
  const takes = watching ? [] : [make("button", { type: "button", className: "take" })];
  const element = make("li", { id: `shot-${shot.id}` },
    make("div", { className: "head" }, open, stage, ...takes), says, controls, clip, stills);
  return { id: shot.id, element, open, stage, take: takes[0], says, controls, clip, stills, key: null, drawn: "" };
}

function drawCard(card, shot) {
  card.open.textContent = `${shot.place + 1}. ${shot.title || shot.id}`;
  card.stage.textContent = shot.stage;
  const remarks = read.remarks.filter((remark) => remark.shot === shot.place && remark.kind !== "note");
  card.says.replaceChildren(...remarks.map((remark) =>
    make("p", { className: `says ${remark.kind}` }, remark.message)));
  for (const failure of [failures[shot.key], clips.failures[shot.key]]) {
    if (failure) card.says.append(make("p", { className: "says error" }, failure));
  }
  if (card.key !== shot.key || !shot.key) {
    card.key = shot.key;
    for (const figure of card.stills.children) figure.classList.add("old");
  }
  const kept = stills.get(shot.key) ?? [];
  kept.forEach((still) => drawStill(card, still));
  if (done.has(shot.key)) trim(card);
  drawControls(card, shot);
  drawClip(card, shot);
}

// Clips of single shots

let clips = { made: {}, making: [], failures: {}, quality: "" };
let taken = null; // the place of the shot whose clip was asked for here, and is to be played

function newClip() {
  const video = make("video", { controls: true, preload: "metadata", playsInline: true });
  return make("figure", { className: "clip", hidden: true }, video, make("figcaption"));
}

function drawClip(card, shot) {
  const file = clips.made[shot.key];
  const making = clips.making.includes(shot.key);
  card.element.classList.toggle("making", making);
  if (card.take) {
    card.take.hidden = Boolean(file);
    card.take.disabled = !shot.key || (clips.making.length > 0 && !making);
    card.take.textContent = making ? "Call it off" : "Render this shot";
    card.take.onclick = () => (making ? post("/stop") : take(shot.place));
  }
  const video = card.clip.querySelector("video");
  card.clip.classList.toggle("old", !file);
  if (!file) video.pause();
  if (!file || card.clip.dataset.key === shot.key) return;
  card.clip.dataset.key = shot.key;
  card.clip.hidden = false;
  video.setAttribute("aria-label", `Clip: ${shot.title || shot.id}`);
  video.poster = `/clips/${shot.key}.png`;
  video.src = `/clips/${shot.key}.mp4`;
  video.replaceChildren(make("track", { kind: "captions", src: `/clips/${shot.key}.vtt` }));
  card.clip.querySelector("figcaption").textContent = `${clips.quality}, ${file}`;
  if (taken === shot.place) video.play().catch(() => {});
}

async function take(place) {
  taken = place;
  const answer = await post("/clip", { shot: place });
  if (answer.ok) say("");
}

const stills = new Map(); // by key
const done = new Set();
const failures = {};

function keepStill(still) {
  const shot = stills.get(still.key) ?? [];
  shot[still.place] = still;
  stills.set(still.key, shot);
  for (const card of cards.values()) if (card.key === still.key) drawStill(card, still);
}

function drawStill(card, still) {
  let figure = card.stills.children[still.place];
  if (figure?.dataset.key === still.key) { figure.classList.remove("old"); return; }
  if (!figure) {
    figure = make("figure", {},
      make("button", { type: "button" }, make("img", { alt: "" })), make("figcaption"));
    card.stills.append(figure);
  }
  figure.dataset.key = still.key;
  const picture = figure.querySelector("img");
  picture.onload = () => { figure.classList.remove("old"); arrived(still); };
  picture.src = still.src;
  picture.alt = still.alt;
  figure.querySelector("figcaption").textContent = still.sentence;
  figure.querySelector("button").onclick = () => enlarge(still);
}

function trim(card) {
  const many = stills.get(card.key)?.length ?? 0;
  while (card.stills.children.length > many) card.stills.lastChild.remove();
}

function begun() {
  editedAt = performance.now();
  awaited = Infinity;
}

function arrived(still) {
  if (editedAt === null || still.number < awaited) return;
  const seconds = (performance.now() - editedAt) / 1000;
  editedAt = null;
  document.body.dataset.seconds = seconds.toFixed(3);
  say(`new stills after ${seconds.toFixed(1)} s`);
}

function enlarge(still) {
  const box = byId("large");
  box.querySelector("img").src = still.src;
  box.querySelector("img").alt = still.alt;
  box.showModal();
}

function choose(place, scroll = false) {
  if (watching || place === null) return;
  const another = place !== chosen;
  chosen = place;
  for (const [at, card] of cards) {
    card.element.classList.toggle("chosen", at === place);
    card.controls.hidden = at !== place || !card.controls.children.length;
  }
  if (another) drawText();
  if (another && scroll) cards.get(place)?.element.scrollIntoView();
}

function toShot(place) {
  if (watching) return;
  const shot = read.shots.find((one) => one.place === place);
  choose(place);
  if (shot?.line) {
    const at = text.value.split("\n").slice(0, shot.line - 1).join("\n").length + 1;
    text.setSelectionRange(at, at);
    text.scrollTop = Math.max(0, (shot.line - 4) * parseFloat(getComputedStyle(text).lineHeight));
  }
}

// Inputs of the chosen shot

function drawControls(card, shot) {
  if (watching) return;
  const shape = JSON.stringify(shot.controls.map(({ value, at, given, ...fixed }) => fixed));
  if (card.drawn !== shape) {
    card.drawn = shape;
    card.controls.replaceChildren(...shot.controls.map((control) => newControl(shot, control)));
  }
  shot.controls.forEach((control, index) => card.controls.children[index].show(control));
  card.controls.hidden = shot.place !== chosen || !shot.controls.length;
}

function newControl(shot, control) {
  const id = `input-${shot.place}-${control.name}`;
  const fields = fieldsFor(control, id);
  const note = make("p", { id: `${id}-about` });
  const element = make("div", { className: "control" },
    make("label", { htmlFor: id }, control.name), make("div", {}, ...fields.elements), note);
  for (const field of fields.elements) field.setAttribute("aria-describedby", note.id);
  let now = control;
  fields.onturn = (value) => turn(shot.place, now, value);
  element.show = (latest) => {
    now = latest;
    const where = { film: " Given for the whole film.", shot: "", "": " Not given here: as the stage has it." };
    const allowed = latest.allowed === latest.about ? "" : ` (${latest.allowed})`;
    note.textContent = `${latest.about}${allowed}.${where[latest.given]}`;
    element.classList.toggle("open", latest.given === "");
    if (!element.contains(document.activeElement) || !fields.busy()) fields.show(latest.value);
  };
  return element;
}

function fieldsFor(control, id) {
  const answer = { elements: [], onturn: () => {}, show: () => {}, busy: () => turning.length > 0 };
  const turned = (value, soon) => answer.onturn({ value, ...soon });
  if (control.kind === "number") {
    const number = make("input", { type: "number", id, step: control.step ?? "any" });
    if (control.least !== null) number.min = control.least;
    if (control.most !== null) number.max = control.most;
    number.oninput = () => { if (number.value !== "") turned(Number(number.value)); };
    number.onchange = () => { if (number.value === "") turned(null); };
    answer.elements = [number];
    if (control.least !== null && control.most !== null) {
      const slider = sliderFor(control);
      slider.range.setAttribute("aria-label", control.name);
      slider.range.oninput = () => { number.value = slider.value(); turned(slider.value()); };
      answer.elements.unshift(slider.range);
      answer.show = (value) => { number.value = value ?? ""; slider.show(value); };
    } else {
      answer.show = (value) => { number.value = value ?? ""; };
    }
  } else if (control.kind === "switch") {
    const box = make("input", { type: "checkbox", id, onchange: () => turned(box.checked) });
    answer.elements = [box];
    answer.show = (value) => { box.checked = value === true; };
  } else if (control.kind === "choice") {
    const select = make("select", { id }, ...control.choices.map((choice, index) =>
      make("option", { value: String(index) }, String(choice))));
    select.onchange = () => turned(control.choices[Number(select.value)]);
    answer.elements = [select];
    answer.show = (value) => { select.value = String(control.choices.indexOf(value)); };
  } else {
    const field = make("input", { type: "text", id, spellcheck: false });
    const yaml = control.kind === "list";
    if (yaml) field.onchange = () => turned(field.value, { yaml });
    else field.oninput = () => turned(field.value);
    answer.elements = [field];
    answer.show = (value) => { field.value = value ?? ""; };
  }
  return answer;
}

function sliderFor(control) {
  // Over several powers of ten, every power has the same room.
  const { least, most, step } = control;
  const wide = least > 0 && most / least >= 10000;
  const range = make("input", { type: "range" });
  const whole = Number.isInteger(step);
  const decimals = whole ? 0 : Math.max(0, -Math.floor(Math.log10(step ?? 0.01)));
  if (!wide) {
    Object.assign(range, { min: least, max: most, step: step ?? "any" });
    return {
      range,
      value: () => Number(Number(range.value).toFixed(decimals)),
      show: (value) => { range.value = value ?? least; },
    };
  }
  Object.assign(range, { min: 0, max: 300, step: 1 });
  const ratio = Math.log(most / least);
  const round = (x) => whole
    ? Math.min(most, Math.round((Number(x.toPrecision(2)) - least) / step) * step + least)
    : Math.min(most, Number(x.toPrecision(2)));
  return {
    range,
    value: () => round(least * Math.exp((range.value / 300) * ratio)),
    show: (value) => { range.value = value ? (Math.log(value / least) / ratio) * 300 : 0; },
  };
}

// One turn at a time goes to the desk; of those that come meanwhile, the latest.
const turning = [];
let underWay = false;

function turn(place, control, { value, yaml }) {
  begun();
  turning[0] = { place, at: control.at, value, yaml };
  if (!underWay) nextTurn();
}

async function nextTurn() {
  underWay = true;
  while (turning.length) {
    const { place, ...change } = turning.pop();
    const before = text.value;
    const answer = await post("/set", { ...change, shot: place, text: before });
    if (!answer.ok || answer.text === before) { editedAt = null; continue; }
    awaited = answer.number;
    if (text.value !== before) { turning[0] ??= { place, ...change }; continue; } // typed meanwhile
    say("");
    put(answer.text);
    remember("turn");
    about.saved = false;
    drawText();
    drawFile();
  }
  underWay = false;
}

// What comes from the desk

const events = {
  all(event) {
    about = event;
    byId("films").hidden = Boolean(event.file);
    byId("desk").hidden = !event.file;
    byId("films").querySelector("ul").replaceChildren(...event.films.map((film) =>
      make("li", {}, make("button", { type: "button", onclick: () => post("/open", { film }) }, film))));
    for (const still of event.stills) keepStill(still);
    for (const key of event.done) done.add(key);
    Object.assign(failures, event.failures);
    if (text && text.value !== event.text && typing === null) {
      put(event.text);
      last = { text: event.text, caret: 0, when: 0 };
    }
    read = event.read;
    if (read) events.read(read);
    drawText();
    drawFile();
  },
  file(event) { about = event; drawFile(); },
  read(event) {
    read = event;
    byId("gone").hidden = true;
    drawShots();
    drawText();
    drawRemarks();
    drawFile();
    choose(watching ? null : chosen ?? read.shots[0]?.place ?? null);
    const all = read.shots.every((shot) => !shot.key || done.has(shot.key));
    if (!all) say("drawing…");
    else if (event.number >= awaited) editedAt = null;
  },
  still(event) { keepStill(event); },
  shot({ key, failure }) {
    done.add(key);
    if (failure) failures[key] = failure;
    for (const [place, card] of cards) {
      if (card.key !== key) continue;
      const shot = read.shots.find((one) => one.place === place);
      if (shot) drawCard(card, shot);
    }
  },
  done() { if (byId("status").textContent === "drawing…") say(""); },
  gone({ how }) {
    byId("gone").textContent = how;
    byId("gone").hidden = false;
    say("");
  },
  clips(event) {
    clips = event;
    if (read) drawShots();
  },
  render({ line }) {
    const progress = byId("progress");
    if (!progress) return;
    progress.hidden = false;
    progress.append(`${line}\n`);
    progress.scrollTop = progress.scrollHeight;
  },
  rendered({ film }) {
    if (watching) return;
    byId("begin").disabled = false;
    byId("stop").hidden = true;
    byId("made").hidden = !film;
    byId("made").querySelector("code").textContent = film ?? "";
    byId("rendering-says").textContent = film ? "" : "The film is not made; the lines say why.";
  },
};

const stream = new EventSource("/events");
stream.onmessage = (message) => {
  const event = JSON.parse(message.data);
  events[event.event]?.(event);
};
stream.onerror = () => {
  byId("gone").textContent = "The studio has ended, or cannot be reached; what is typed here stays here.";
  byId("gone").hidden = false;
};
stream.onopen = () => { byId("gone").hidden = true; };

for (const name of ["theme", "aspect", "language"]) {
  byId(name).onchange = async () => {
    begun();
    awaited = (await post("/look", { [name]: byId(name).value || null })).number ?? Infinity;
  };
}
byId("large").onclick = () => byId("large").close();

if (!watching) {
  text.addEventListener("input", () => { remember("type"); edited(); });
  text.addEventListener("scroll", scrolled);
  new ResizeObserver(scrolled).observe(text);
  document.addEventListener("selectionchange", atCaret);
  text.addEventListener("blur", atCaret);
  for (const moved of ["keyup", "click"]) text.addEventListener(moved, () => choose(shotAtCaret(), true));
  document.addEventListener("keydown", (event) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const back = key === "z" && !event.shiftKey;
    const forth = key === "y" || (key === "z" && event.shiftKey);
    const elsewhere = event.target.matches("input") && !event.target.closest(".control");
    if (command && key === "s") { event.preventDefault(); askToSave(); }
    if (command && (back || forth) && !elsewhere) {
      event.preventDefault();
      if (back) step(past, future);
      else step(future, past);
    }
  });
  addEventListener("beforeunload", (event) => { if (about.file && !about.saved) event.preventDefault(); });
  byId("take").onclick = () => post("/take");
  byId("keep").onclick = () => { byId("moved").hidden = true; };
  byId("save").onclick = askToSave;
  byId("write").onclick = write;
  byId("path").oninput = () => { over = false; byId("saving-asks").textContent = ""; };
  byId("path").onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); write(); } };
  byId("render").onclick = () => {
    byId("rendering-says").textContent = about.saved ? "" : "It is saved first: the film is made from the file.";
    byId("rendering").showModal();
  };
  byId("begin").onclick = begin;
  byId("stop").onclick = () => post("/stop");
  for (const button of document.querySelectorAll('menu button[value="cancel"]')) {
    button.onclick = () => button.closest("dialog").close();
  }
}

let over = false;

function askToSave() {
  if (!about.file) return;
  over = false;
  byId("saving-asks").textContent = "";
  byId("path").value = about.file;
  byId("write").textContent = "Write the file";
  byId("saving").showModal();
}

async function write() {
  if (!(await saved(byId("path").value))) return;
  byId("saving").close();
  say("saved");
}

async function saved(file) {
  const answer = await post("/save", { text: text.value, file, over });
  over = Boolean(answer.asks);
  if (answer.ok) return true;
  byId("saving-asks").textContent = answer.asks ?? answer.problem ?? "";
  byId("write").textContent = answer.asks ? "Overwrite it" : "Write the file";
  return false;
}

async function begin() {
  over = false;
  if (!about.saved && !(await saved(about.file))) {
    byId("rendering").close();
    byId("saving").showModal();
    byId("path").value = about.file;
    return;
  }
  byId("progress").replaceChildren();
  byId("made").hidden = true;
  byId("rendering-says").textContent = "";
  const answer = await post("/render", { quality: byId("quality").value });
  if (!answer.ok) { byId("rendering-says").textContent = answer.problem ?? ""; return; }
  byId("begin").disabled = true;
  byId("stop").hidden = false;
}

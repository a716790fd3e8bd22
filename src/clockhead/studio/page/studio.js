// The page of the studio: edits go to the server, and stills come back as events.
"use strict";

const byId = (id) => document.getElementById(id);
const text = byId("text");
const watching = document.body.classList.contains("watching");
const TYPING = 120; // milliseconds within which keys count as one edit
let read = null; // the latest report of what the storyboard says
let about = {}; // the state of the file, and the look
let chosen = null; // the place of the selected shot
let editedAt = null; // time of the edit whose stills have not arrived yet
let awaited = Infinity; // number of that edit
let typing = null;
let known = ""; // the text of the server, unless another page has changed it
let revision = 0; // number of that text
let latest = null; // the latest text from the server
let exchanges = 0; // number of requests that change the text, running or queued

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
    const data = answer.status === 204 ? {} : await answer.json();
    if (answer.status === 422) say(data.problem);
    return { ok: answer.ok, ...data };
  } catch {
    return { ok: false, problem: "the studio has ended" };
  }
}

// Requests that change the text are sent one after the other, each with the revision that it changes.
// If another page has changed the text meanwhile, the server refuses.

let queue = Promise.resolve();

function enqueue(request) {
  exchanges += 1;
  const finish = () => { exchanges -= 1; reconcile(); };
  const done = queue.then(request);
  queue = done.then(finish, finish);
  return done;
}

function accept(sent, answer) {
  known = sent;
  revision = answer.revision;
}

function reconcile() {
  // Show the text of another page; if this one has edits too, ask which to keep.
  if (!text || exchanges || typing !== null) return;
  if (latest && latest.revision > revision && [known, latest.text].includes(text.value)) adopt();
  drawFile();
}

function isContested() {
  return Boolean(text && latest && latest.revision > revision && !exchanges && typing === null);
}

function adopt() {
  accept(latest.text, latest);
  if (text.value === known) return;
  put(known);
  last = { text: known, caret: 0, when: 0 };
  drawText();
}

function send() {
  return enqueue(async () => {
    const sent = text.value;
    if (sent === known) return;
    const answer = await post("edit", { text: sent, shot: shotAtCaret(), revision });
    if (!answer.ok) return;
    accept(sent, answer);
    awaited = answer.number;
  });
}

function say(line) { byId("status").textContent = line; }

// The text, with undo and redo

const past = [];
const future = [];
let last = { text: "", caret: 0, when: 0 };

function remember(how) {
  // Edits within a second are one step.
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
  // Replace the text. The caret keeps its distance to the start, or else to the end.
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
  typing = setTimeout(() => { typing = null; send(); }, wait);
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
  lines.forEach((line, index) => {
    const number = index + 1;
    const remark = remarks.get(number);
    const row = make("div", { "data-line": number });
    if (remark) row.classList.add(remark.kind);
    if (number >= from && number < to) row.classList.add("chosen");
    row.append(...coloured(line));
    if (remark) row.append(make("em", { className: remark.kind }, make("span", {}, remark.message)));
    mirror.append(row);
  });
  text.parentElement.style.setProperty("--gutter", `calc(${String(lines.length).length}ch + 2.5rem)`);
  byId("mirror").replaceChildren(mirror);
  fit();
  atCaret();
}

function fit() {
  // Make the mirror as wide as the text without its scroll bar, and put remarks after their lines.
  const mirror = byId("mirror");
  mirror.style.width = `${text.clientWidth}px`;
  for (const beside of mirror.querySelectorAll("em")) {
    const row = beside.parentElement;
    const end = endOf(row, beside);
    const room = row.clientWidth - end.right;
    const tight = room < 30 * parseFloat(getComputedStyle(text).fontSize) * 0.6;
    beside.classList.toggle("tight", tight);
    beside.style.top = `${end.top}px`;
    beside.style.left = tight ? "" : `${end.right}px`;
    beside.style.maxWidth = tight ? "" : `calc(${room}px - 2ch)`;
  }
  scrolled();
}

function endOf(row, before) {
  // The end of the text of a row, before one of its elements.
  const range = document.createRange();
  range.setStart(row, 0);
  range.setEndBefore(before);
  const rects = range.getClientRects();
  const around = row.getBoundingClientRect();
  const end = rects[rects.length - 1];
  return end ? { right: end.right - around.left, top: end.top - around.top } : { right: 0, top: 0 };
}

function* coloured(line) {
  const comment = line.search(/(^|\s)#(?=([^"']*["'][^"']*["'])*[^"']*$)/);
  const code = comment < 0 ? line : line.slice(0, comment);
  const key = /^(\s*(?:- )*)([\w-]+)(?=:(\s|$))/.exec(code);
  if (key) yield* [key[1], make("b", {}, key[2]), code.slice(key[0].length)];
  else yield code;
  if (comment >= 0) yield make("i", {}, line.slice(comment));
}

function scrolled() {
  byId("mirror").style.transform = `translateY(${-text.scrollTop}px)`;
  placeChoices();
}

function scrollTo(line, above) {
  const row = byId("mirror").children[line - 1];
  text.scrollTop = Math.max(0, (row?.offsetTop ?? 0) - above * parseFloat(getComputedStyle(text).lineHeight));
}

function atCaret() {
  // Mark the line of the caret: remarks do not cover it.
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
  scrollTo(line, 5);
  choose(shotAtCaret(), true);
}

// The file and the remarks

function drawFile() {
  const name = about.file ?? "";
  byId("file").textContent = name + (watching || !name ? "" : about.saved ? "" : " — not saved");
  document.title = `${read?.title || name || "Clockhead"} — ${watching ? "watch" : "studio"}`;
  byId("title").textContent = read?.title || "Clockhead studio";
  drawMoved();
  for (const name of ["theme", "aspect", "language"]) byId(name).value = about.look?.[name] ?? "";
  if (!watching) {
    byId("save").disabled = !about.file;
    byId("render").disabled = !about.file;
  }
}

let dismissed = false; // whether the user keeps this text although the file has changed

function drawMoved() {
  const lost = about.trouble && `The file cannot be read any more: ${about.trouble}.`;
  const stays = watching ? "" : " The text here is kept; Save writes it.";
  const message = isContested() ? "The text was changed elsewhere (in another window, or on the disk) while you changed it here."
    : lost ? lost + stays
    : about.moved && !dismissed ? "Another program has changed this file on the disk." : "";
  if (!about.moved) dismissed = false;
  const bar = byId("moved");
  bar.hidden = !message;
  if (bar.querySelector("span").textContent !== message) bar.querySelector("span").textContent = message;
  for (const button of bar.querySelectorAll("button")) button.hidden = Boolean(lost) && !isContested();
}

function drawRemarks() {
  const title = byId("remarks-title");
  const all = read?.remarks ?? [];
  const wrong = all.filter((remark) => remark.kind !== "note");
  title.textContent = wrong.length
    ? `${wrong.length} ${wrong.length === 1 ? "problem" : "problems"}`
    : read ? "No problems" : "Reading…";
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
  // Inserting an element again stops its clip, even at the same place.
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
  const buttons = watching ? [] : [make("button", { type: "button", className: "render" })];
  const element = make("li", { id: `shot-${shot.id}` },
    make("div", { className: "head" }, open, stage, ...buttons), says, controls, clip, stills);
  return { id: shot.id, element, open, stage, render: buttons[0], says, controls, clip, stills, key: null, drawn: "" };
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
let playNext = null; // the place of the shot whose clip plays once it is rendered

function newClip() {
  const video = make("video", { controls: true, preload: "metadata", playsInline: true });
  return make("figure", { className: "clip", hidden: true }, video, make("figcaption"));
}

function drawClip(card, shot) {
  const file = clips.made[shot.key];
  const making = clips.making.includes(shot.key);
  card.element.classList.toggle("making", making);
  if (card.render) {
    card.render.hidden = Boolean(file);
    card.render.disabled = !shot.key || (clips.making.length > 0 && !making);
    card.render.textContent = making ? "Cancel" : "Render this shot";
    card.render.onclick = () => (making ? post("stop") : renderClip(shot.place));
  }
  const video = card.clip.querySelector("video");
  card.clip.classList.toggle("old", !file);
  if (!file) video.pause();
  if (!file || card.clip.dataset.key === shot.key) return;
  card.clip.dataset.key = shot.key;
  card.clip.hidden = false;
  video.setAttribute("aria-label", `Clip: ${shot.title || shot.id}`);
  video.poster = `clips/${shot.key}.png`;
  video.src = `clips/${shot.key}.mp4`;
  video.replaceChildren(make("track", { kind: "captions", src: `clips/${shot.key}.vtt` }));
  card.clip.querySelector("figcaption").textContent = `${clips.quality}, ${file}`;
  if (playNext === shot.place) video.play().catch(() => {});
}

async function renderClip(place) {
  playNext = place;
  const answer = await post("clip", { shot: place });
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
    scrollTo(shot.line, 3);
  }
}

// Inputs of the selected shot

function drawControls(card, shot) {
  if (watching) return;
  const shape = JSON.stringify(shot.controls.map(({ value, at, given, offered, ...fixed }) => fixed));
  if (card.drawn !== shape) {
    card.drawn = shape;
    const focused = card.controls.contains(document.activeElement) ? document.activeElement.id : "";
    card.controls.replaceChildren(...shot.controls.map((control) => newControl(shot, control)));
    if (focused) byId(focused)?.focus();
  }
  shot.controls.forEach((control, index) => card.controls.children[index].show(control));
  card.controls.hidden = shot.place !== chosen || !shot.controls.length;
}

function newControl(shot, control) {
  const id = `input-${shot.place}-${control.name}`;
  const fields = fieldsFor(control, id);
  const note = make("p", { id: `${id}-about` });
  const mark = make("button", { type: "button", className: "handle", id: `handle-${shot.place}-${control.name}` }, "handle");
  mark.setAttribute("aria-label", `handle: ${control.name}`);
  mark.setAttribute("aria-pressed", control.is_handle);
  mark.title = control.is_handle
    ? `Readers of an exported page can turn ${control.name}. Take this handle away.`
    : `Let readers of an exported page turn ${control.name}.`;
  mark.onclick = () => changeHandle(shot.place, control);
  const element = make("div", { className: "control" },
    make("div", { className: "name" }, make("label", { htmlFor: id }, control.name), mark),
    make("div", {}, ...fields.elements), note);
  for (const field of fields.elements) field.setAttribute("aria-describedby", note.id);
  let now = control;
  fields.onchange = (value) => changeInput(shot.place, now, value);
  element.show = (latest) => {
    now = latest;
    const where = { film: " Set for the whole film.", shot: "", "": " Not set: the default of the stage." };
    const allowed = latest.allowed === latest.about ? "" : ` (${latest.allowed})`;
    const isAlone = latest.is_handle && latest.stops.length === 1 && latest.stops[0] === latest.value;
    const more = isAlone ? " The handle needs other values too: write them after handles." : "";
    note.textContent = `${latest.about}${allowed}.${where[latest.given]}${more}`;
    element.classList.toggle("open", latest.given === "");
    if (!element.contains(document.activeElement) || !fields.busy()) fields.show(latest.value);
  };
  return element;
}

function fieldsFor(control, id) {
  const answer = { elements: [], onchange: () => {}, show: () => {}, busy: () => changes.length > 0 };
  const changed = (value, options) => answer.onchange({ value, ...options });
  if (control.kind === "number") {
    const number = make("input", { type: "number", id, step: control.step ?? "any" });
    if (control.least !== null) number.min = control.least;
    if (control.most !== null) number.max = control.most;
    number.oninput = () => { if (number.value !== "") changed(Number(number.value)); };
    number.onchange = () => { if (number.value === "") changed(null); };
    answer.elements = [number];
    const isBounded = control.least !== null && control.most !== null;
    if (isBounded || control.stops.length) {
      const slider = sliderFor(control);
      slider.range.setAttribute("aria-label", control.name);
      slider.range.oninput = () => { number.value = slider.value(); changed(slider.value()); };
      answer.elements.unshift(slider.range);
      answer.show = (value) => { number.value = value ?? ""; slider.show(value); };
      if (isBounded && !control.whole) {
        number.step = "any";
        number.className = "steps";
        number.onkeydown = (event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (!by || number.value === "") return;
          event.preventDefault();
          number.value = slider.beyond(Number(number.value), by);
          changed(Number(number.value));
        };
      }
    } else {
      answer.show = (value) => { number.value = value ?? ""; };
    }
  } else if (control.kind === "switch") {
    const box = make("input", { type: "checkbox", id, onchange: () => changed(box.checked) });
    answer.elements = [box];
    answer.show = (value) => { box.checked = value === true; };
  } else if (control.kind === "choice") {
    const select = make("select", { id }, ...control.choices.map((choice, index) =>
      make("option", { value: String(index) }, String(choice))));
    select.onchange = () => changed(control.choices[Number(select.value)]);
    answer.elements = [select];
    answer.show = (value) => { select.value = String(control.choices.indexOf(value)); };
  } else {
    const field = make("input", { type: "text", id, spellcheck: false });
    const yaml = control.kind === "list";
    if (yaml) field.onchange = () => changed(field.value, { yaml });
    else field.oninput = () => changed(field.value);
    answer.elements = [field];
    answer.show = (value) => { field.value = value ?? ""; };
    if (control.stops.length) {
      // A list of the handle's stops beside the field, which shows the value and takes others too.
      const list = make("select", { className: "stops", id: `${id}-stops` },
        make("option", { value: "", hidden: true }, ""),
        ...control.stops.map((stop) => make("option", { value: stop }, stop)));
      list.setAttribute("aria-label", `stops of ${control.name}`);
      list.onchange = () => {
        field.value = list.value;
        list.value = "";
        changed(field.value, { yaml });
      };
      answer.elements.push(list);
    }
  }
  return answer;
}

function stopsOf({ least, most, step, whole }) {
  // Values at which a slider stops: every step, or over a wide range numbers of two digits, whose
  // distances grow with them (0.99, 1, 1.1; 99, 100, 110).
  const found = new Set([least, most]);
  const keep = (value) => { if (value >= least && value <= most) found.add(value); };
  const wide = whole ? (most - least) / step > 300 : least > 0 ? most / least >= 100 : most - least > 100;
  if (!wide) {
    const decimals = Math.max(0, -Math.floor(Math.log10(step)));
    for (let n = Math.ceil(least / step); n * step <= most; n += 1) keep(Number((n * step).toFixed(decimals)));
  } else {
    const far = Math.max(most, -least);
    const near = whole ? step : least > 0 ? least : far / 1e6;
    keep(0);
    for (let power = Math.floor(Math.log10(near)) - 1; 10 * 10 ** power <= far; power += 1) {
      for (let digits = 10; digits < 100; digits += 1) {
        const value = Number(`${digits}e${power}`);
        const round = whole ? Math.round(value / step) * step : value;
        if (round >= near) { keep(round); keep(-round); }
      }
    }
  }
  return [...found].sort((a, b) => a - b);
}

function sliderFor(control) {
  // A handle stops where it does on an exported page; keys in the field beside it stop everywhere.
  const all = control.least !== null && control.most !== null ? stopsOf(control) : control.stops;
  const stops = control.stops.length ? control.stops : all;
  let now = stops; // and the present value, if it is none of them
  const range = make("input", { type: "range", min: 0, step: 1 });
  const value = () => now[Number(range.value)];
  range.addEventListener("input", () => range.setAttribute("aria-valuetext", value()));
  return {
    range,
    value,
    show: (shown) => {
      const at = shown ?? control.least ?? stops[0];
      now = stops.includes(at) ? stops : [...stops, at].sort((a, b) => a - b);
      range.max = now.length - 1;
      range.value = now.indexOf(at);
      range.setAttribute("aria-valuetext", at);
    },
    beyond: (from, by) => by > 0
      ? all.find((stop) => stop > from) ?? from
      : all.findLast((stop) => stop < from) ?? from,
  };
}

// One change of an input is sent at a time; of those that come meanwhile, only the latest.
const changes = [];
let isChanging = false;

function changeInput(place, control, { value, yaml }) {
  begun();
  changes[0] = { place, at: control.at, value, yaml };
  if (!isChanging) sendChanges();
}

async function sendChanges() {
  isChanging = true;
  while (changes.length) await enqueue(() => sendChange(changes.pop()));
  isChanging = false;
}

async function sendChange({ place, ...change }) {
  const before = text.value;
  const answer = await post("set", { ...change, shot: place, text: before, revision });
  if (!answer.ok) { editedAt = null; return; }
  accept(answer.text, answer);
  if (answer.text === before) { editedAt = null; return; }
  awaited = answer.number;
  if (text.value !== before) { changes[0] ??= { place, ...change }; return; } // the user has typed meanwhile
  say("");
  rewritten(answer.text);
}

async function changeHandle(place, { name, is_handle: isHandle }) {
  // Write into the text that an input is a handle, or is none any more, and show the line.
  clearTimeout(typing);
  typing = null;
  await enqueue(async () => {
    const before = text.value;
    const answer = await post("handle", { text: before, shot: place, name, on: !isHandle, revision });
    if (!answer.ok) return;
    accept(answer.text, answer);
    if (answer.text === before || text.value !== before) return;
    awaited = answer.number;
    say("");
    rewritten(answer.text, `handle ${name}`);
    let at = 0;
    while (at < before.length && answer.text[at] === before[at]) at += 1;
    scrollTo(answer.text.slice(0, at).split("\n").length, 5);
  });
}

function rewritten(changed, how = "control") {
  put(changed);
  remember(how);
  about.saved = false;
  drawText();
  drawFile();
}

// Adding a shot

let addedShot = null; // place of a shot that was added, and number of the report that has it

function askToAdd() {
  byId("adding-says").textContent = "";
  byId("adding").showModal();
  byId("stage").select();
}

async function add() {
  const stage = byId("stage").value.trim();
  if (!stage) return;
  clearTimeout(typing);
  typing = null;
  const after = cards.has(chosen) ? chosen : null;
  const place = after === null ? cards.size : after + 1;
  const added = await enqueue(async () => {
    const before = text.value;
    const body = { text: before, stage, revision, ...(after === null ? {} : { shot: after }) };
    const answer = await post("add", body);
    if (!answer.ok) return answer;
    accept(answer.text, answer);
    awaited = answer.number;
    begun();
    if (text.value === before) rewritten(answer.text);
    return answer;
  });
  byId("adding-says").textContent = added.problem ?? (added.stale ? "The text was changed elsewhere." : "");
  if (!added.ok) return;
  addedShot = { place, number: added.number };
  byId("adding").close();
  chooseAdded();
}

function chooseAdded() {
  if (!addedShot || !read || read.number < addedShot.number) return;
  const { place } = addedShot;
  addedShot = null;
  if (!cards.has(place)) return;
  toShot(place);
  cards.get(place).element.scrollIntoView();
}

// Completion at the caret

const choices = byId("choices");
let asking = 0;
let unanswered = -1; // where there was no completion yet
let offered = null; // { start, end, after } of the text that a choice replaces

async function offer(asked = false) {
  const at = text.selectionStart;
  const before = text.value.slice(0, at);
  const begins = /(\{|: )$/.test(before);
  asking += 1;
  if (at !== text.selectionEnd || !(asked || begins || /[\w.]$/.test(before))) { withdraw(); return; }
  const ticket = asking;
  const answer = await post("complete", { text: text.value, at: [...before].length });
  if (ticket !== asking) return;
  if (!answer.choices || !(asked || begins || answer.typed)) {
    withdraw();
    unanswered = answer.ok ? at : -1;
    return;
  }
  offered = { start: at - answer.typed.length, end: at, after: answer.after };
  choices.replaceChildren(...answer.choices.map(({ name, about }, index) => {
    const choice = make("li", { id: `choice-${index}`, role: "option" }, make("code", {}, name), make("span", {}, about));
    choice.onclick = () => insert(name);
    return choice;
  }));
  choices.hidden = false;
  mark(0);
  placeChoices();
}

function placeChoices() {
  if (!offered) return;
  const { left, top, bottom } = pointAt(offered.start);
  const editor = choices.parentElement;
  const below = bottom + choices.offsetHeight <= editor.clientHeight || top < choices.offsetHeight;
  choices.style.top = `${below ? bottom : top - choices.offsetHeight}px`;
  choices.style.left = `${Math.max(0, Math.min(left, editor.clientWidth - choices.offsetWidth - 8))}px`;
}

function offerLate() {
  // A new report may have names for what was typed before.
  if (document.activeElement === text && text.selectionStart === unanswered) offer();
}

function withdraw() {
  asking += 1;
  unanswered = -1;
  offered = null;
  choices.hidden = true;
  text.removeAttribute("aria-activedescendant");
  text.removeAttribute("aria-controls");
}

function mark(index) {
  const all = choices.children;
  const at = (index + all.length) % all.length;
  for (const [place, choice] of [...all].entries()) choice.setAttribute("aria-selected", place === at);
  all[at].scrollIntoView({ block: "nearest" });
  text.setAttribute("aria-controls", "choices");
  text.setAttribute("aria-activedescendant", all[at].id);
}

function insert(name) {
  const { start, end, after } = offered;
  const colon = text.value.startsWith(":", end) ? "" : after;
  withdraw();
  text.setSelectionRange(start, end);
  enter(name + colon);
}

function enter(typed) {
  // Insert text as if it were typed, with events and scrolling.
  if (document.execCommand("insertText", false, typed)) return;
  text.setRangeText(typed, text.selectionStart, text.selectionEnd, "end");
  text.dispatchEvent(new Event("input"));
}

function chosenKey(event) {
  // Handle keys for the list of choices, and Enter.
  if (event.key === " " && event.ctrlKey) { offer(true); return true; }
  if (choices.hidden) return event.key === "Enter" && !event.isComposing && breakLine();
  const at = [...choices.children].findIndex((one) => one.getAttribute("aria-selected") === "true");
  const acts = {
    ArrowDown: () => mark(at + 1),
    ArrowUp: () => mark(at - 1),
    Enter: () => insert(choices.children[at].firstChild.textContent),
    Tab: () => insert(choices.children[at].firstChild.textContent),
    Escape: withdraw,
  };
  if (!acts[event.key] || event.shiftKey) return false;
  acts[event.key]();
  return true;
}

function breakLine() {
  // Start a line with the same indentation, or more after a key without a value.
  const before = text.value.slice(0, text.selectionStart).split("\n").pop();
  const column = /^ *(- +)*/.exec(before)[0].length;
  const within = /^ *(- +)*[\w-]+:\s*$/.test(before) ? 2 : 0;
  enter(`\n${" ".repeat(column + within)}`);
  return true;
}

function pointAt(offset) {
  // Position of a character within the editor.
  const lines = text.value.slice(0, offset).split("\n");
  const row = byId("mirror").children[lines.length - 1];
  const nodes = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  let left = lines[lines.length - 1].length;
  let node = nodes.nextNode();
  while (node && left > node.length) { left -= node.length; node = nodes.nextNode(); }
  const around = choices.parentElement.getBoundingClientRect();
  let found = row.getBoundingClientRect();
  if (node) {
    const range = document.createRange();
    range.setStart(node, left);
    range.collapse(true);
    found = range.getClientRects()[0] ?? found;
  }
  return { left: found.left - around.left, top: found.top - around.top, bottom: found.bottom - around.top };
}

// Events from the server

const events = {
  all(event) {
    about = event;
    byId("films").hidden = Boolean(event.file);
    byId("session").hidden = !event.file;
    byId("films").querySelector("ul").replaceChildren(...event.films.map((film) =>
      make("li", {}, make("button", { type: "button", onclick: () => post("open", { film }) }, film))));
    for (const still of event.stills) keepStill(still);
    for (const key of event.done) done.add(key);
    Object.assign(failures, event.failures);
    latest = { text: event.text, revision: event.revision };
    read = event.read;
    if (read) events.read(read);
    reconcile();
    drawText();
    drawFile();
  },
  file(event) { about = event; drawFile(); },
  text(event) {
    latest = event;
    about.saved = event.saved;
    reconcile();
  },
  stages({ stages }) {
    byId("stages")?.replaceChildren(...stages.map(([name, what]) => make("option", { value: name }, what)));
    if (!watching) offerLate();
  },
  read(event) {
    read = event;
    byId("gone").hidden = true;
    drawShots();
    drawText();
    drawRemarks();
    drawFile();
    chooseAdded();
    choose(watching ? null : chosen ?? read.shots[0]?.place ?? null);
    const all = read.shots.every((shot) => !shot.key || done.has(shot.key));
    if (!watching) offerLate();
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
    byId("rendering-says").textContent = film ? "" : "The film was not rendered; the lines above say why.";
  },
};

const stream = new EventSource("events");
stream.onmessage = (message) => {
  const event = JSON.parse(message.data);
  events[event.event]?.(event);
};
stream.onerror = () => {
  byId("gone").textContent = "The studio has ended or cannot be reached. Your text stays on this page.";
  byId("gone").hidden = false;
};
stream.onopen = () => { byId("gone").hidden = true; };

for (const name of ["theme", "aspect", "language"]) {
  byId(name).onchange = async () => {
    begun();
    awaited = (await post("look", { [name]: byId(name).value || null })).number ?? Infinity;
  };
}
byId("large").onclick = () => byId("large").close();

if (!watching) {
  text.addEventListener("input", () => {
    if (offered) offered.end = text.selectionStart;
    remember("type");
    edited();
    offer();
  });
  text.addEventListener("keydown", (event) => { if (chosenKey(event)) event.preventDefault(); });
  text.addEventListener("scroll", scrolled);
  new ResizeObserver(fit).observe(text);
  document.fonts.ready.then(fit);
  document.addEventListener("selectionchange", () => {
    atCaret();
    if (offered && text.selectionStart !== offered.end) withdraw();
  });
  text.addEventListener("blur", () => { atCaret(); withdraw(); });
  choices.onmousedown = (event) => event.preventDefault(); // keeps the caret in the text
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
  byId("reload").onclick = () => {
    if (isContested()) { adopt(); drawFile(); } else post("reload");
  };
  byId("keep").onclick = () => {
    if (isContested()) { accept(latest.text, latest); send(); } else dismissed = true;
    drawFile();
  };
  byId("add").onclick = askToAdd;
  byId("insert").onclick = add;
  byId("stage").oninput = () => {
    const option = [...byId("stages").options].find((one) => one.value === byId("stage").value);
    byId("stage-about").textContent = option?.textContent ?? "";
    byId("adding-says").textContent = "";
  };
  byId("stage").onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); add(); } };
  byId("save").onclick = askToSave;
  byId("write").onclick = write;
  byId("path").oninput = () => { over = ""; byId("saving-asks").textContent = ""; };
  byId("path").onkeydown = (event) => { if (event.key === "Enter") { event.preventDefault(); write(); } };
  byId("render").onclick = () => {
    byId("rendering-says").textContent = about.saved ? "" : "The storyboard will be saved first: the film is made from the file.";
    byId("rendering").showModal();
  };
  byId("begin").onclick = begin;
  byId("stop").onclick = () => post("stop");
  for (const button of document.querySelectorAll('menu button[value="cancel"]')) {
    button.onclick = () => button.closest("dialog").close();
  }
}

let over = ""; // version of the file that may be overwritten

function askToSave() {
  if (!about.file) return;
  over = "";
  byId("saving-asks").textContent = "";
  byId("path").value = about.file;
  byId("write").textContent = "Save";
  byId("saving").showModal();
}

async function write() {
  if (!(await saved(byId("path").value))) return;
  byId("saving").close();
  say("saved");
}

async function saved(file) {
  clearTimeout(typing);
  typing = null;
  const answer = await enqueue(async () => {
    const sent = text.value;
    const state = await post("save", { text: sent, file, over, revision });
    if (state.revision) accept(sent, state);
    return state;
  });
  over = answer.over ?? "";
  if (answer.ok) return true;
  const elsewhere = answer.stale ? "The text was changed elsewhere meanwhile. Close this dialog to see how." : "";
  byId("saving-asks").textContent = answer.asks ?? answer.problem ?? elsewhere;
  byId("write").textContent = answer.asks ? "Overwrite" : "Save";
  return false;
}

async function begin() {
  over = "";
  if (!about.saved && !(await saved(about.file))) {
    byId("rendering").close();
    byId("saving").showModal();
    byId("path").value = about.file;
    return;
  }
  byId("progress").replaceChildren();
  byId("made").hidden = true;
  byId("rendering-says").textContent = "";
  const answer = await post("render", { quality: byId("quality").value });
  if (!answer.ok) { byId("rendering-says").textContent = answer.problem ?? ""; return; }
  byId("begin").disabled = true;
  byId("stop").hidden = false;
}

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
let known = ""; // the text as the desk has it, if nobody else has changed it
let revision = 0; // its number
let latest = null; // the text that the desk told last
let exchanges = 0; // under way, or waiting for their turn

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

// What changes the text goes to the desk one after the other, each with the number of the text that
// it changes. If somebody else has changed it meanwhile, the desk refuses.

let line = Promise.resolve();

function inTurn(job) {
  exchanges += 1;
  const over = () => { exchanges -= 1; reconcile(); };
  const done = line.then(job);
  line = done.then(over, over);
  return done;
}

function accept(sent, answer) {
  known = sent;
  revision = answer.revision;
}

function reconcile() {
  // Take in what others have done to the text, or ask if there is something of our own as well.
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
  return inTurn(async () => {
    const sent = text.value;
    if (sent === known) return;
    const answer = await post("edit", { text: sent, shot: shotAtCaret(), revision });
    if (!answer.ok) return;
    accept(sent, answer);
    awaited = answer.number;
  });
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
  // The mirror is as wide as the text is beside its scroll bar; remarks stand behind their lines.
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
  // Where the text of a row ends that stands before something in it.
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
  const said = comment < 0 ? line : line.slice(0, comment);
  const key = /^(\s*(?:- )*)([\w-]+)(?=:(\s|$))/.exec(said);
  if (key) yield* [key[1], make("b", {}, key[2]), said.slice(key[0].length)];
  else yield said;
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
  scrollTo(line, 5);
  choose(shotAtCaret(), true);
}

// The file, and what is wrong with it

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

let dismissed = false; // that the file was changed is known, and what is here is to be kept

function drawMoved() {
  const lost = about.trouble && `The file cannot be read any more: ${about.trouble}.`;
  const stays = watching ? "" : " The text here is kept; Save writes it.";
  const said = isContested() ? "The text was changed elsewhere (in another window, or on the disk) while you changed it here."
    : lost ? lost + stays
    : about.moved && !dismissed ? "Another program has changed this file on the disk." : "";
  if (!about.moved) dismissed = false;
  const bar = byId("moved");
  bar.hidden = !said;
  if (bar.querySelector("span").textContent !== said) bar.querySelector("span").textContent = said;
  for (const button of bar.querySelectorAll("button")) button.hidden = Boolean(lost) && !isContested();
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
    card.take.onclick = () => (making ? post("stop") : take(shot.place));
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
  if (taken === shot.place) video.play().catch(() => {});
}

async function take(place) {
  taken = place;
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
      if (!control.whole) {
        number.step = "any";
        number.className = "steps";
        number.onkeydown = (event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (!by || number.value === "") return;
          event.preventDefault();
          number.value = slider.beyond(Number(number.value), by);
          turned(Number(number.value));
        };
      }
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

function stopsOf({ least, most, step, whole }) {
  // Where a slider stops: at every step, or over a wide range at numbers of two digits, whose steps
  // grow with them (0.99, 1, 1.1; 99, 100, 110).
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
  const stops = stopsOf(control);
  let now = stops; // with the value that is shown, wherever it is
  const range = make("input", { type: "range", min: 0, step: 1 });
  const value = () => now[Number(range.value)];
  range.addEventListener("input", () => range.setAttribute("aria-valuetext", value()));
  return {
    range,
    value,
    show: (shown) => {
      const at = shown ?? control.least;
      now = stops.includes(at) ? stops : [...stops, at].sort((a, b) => a - b);
      range.max = now.length - 1;
      range.value = now.indexOf(at);
      range.setAttribute("aria-valuetext", at);
    },
    beyond: (from, by) => by > 0
      ? stops.find((stop) => stop > from) ?? from
      : stops.findLast((stop) => stop < from) ?? from,
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
  while (turning.length) await inTurn(() => oneTurn(turning.pop()));
  underWay = false;
}

async function oneTurn({ place, ...change }) {
  const before = text.value;
  const answer = await post("set", { ...change, shot: place, text: before, revision });
  if (!answer.ok) { editedAt = null; return; }
  accept(answer.text, answer);
  if (answer.text === before) { editedAt = null; return; }
  awaited = answer.number;
  if (text.value !== before) { turning[0] ??= { place, ...change }; return; } // typed meanwhile
  say("");
  rewritten(answer.text);
}

function rewritten(changed) {
  put(changed);
  remember("turn");
  about.saved = false;
  drawText();
  drawFile();
}

// One shot more

let toBeChosen = null; // a shot that was added: its place, and the reading that has it

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
  const added = await inTurn(async () => {
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
  toBeChosen = { place, number: added.number };
  byId("adding").close();
  chooseAdded();
}

function chooseAdded() {
  if (!toBeChosen || !read || read.number < toBeChosen.number) return;
  const { place } = toBeChosen;
  toBeChosen = null;
  if (!cards.has(place)) return;
  toShot(place);
  cards.get(place).element.scrollIntoView();
}

// What may be typed where the caret is

const choices = byId("choices");
let asking = 0;
let unanswered = -1; // where nothing could be offered yet
let offered = null; // { start, end, after } of what a choice takes the place of

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
  // What is known by now may be what was typed for.
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
  // As if it were typed: what comes of that is done, and the place is scrolled to.
  if (document.execCommand("insertText", false, typed)) return;
  text.setRangeText(typed, text.selectionStart, text.selectionEnd, "end");
  text.dispatchEvent(new Event("input"));
}

function chosenKey(event) {
  // Keys that the list takes while it is there.
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
  // The next line begins where this one does: below the first key of an entry, or within a key.
  const before = text.value.slice(0, text.selectionStart).split("\n").pop();
  const column = /^ *(- +)*/.exec(before)[0].length;
  const within = /^ *(- +)*[\w-]+:\s*$/.test(before) ? 2 : 0;
  enter(`\n${" ".repeat(column + within)}`);
  return true;
}

function pointAt(offset) {
  // Where a character is drawn, seen from the editor.
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

// What comes from the desk

const events = {
  all(event) {
    about = event;
    byId("films").hidden = Boolean(event.file);
    byId("desk").hidden = !event.file;
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
    byId("rendering-says").textContent = film ? "" : "The film is not made; the lines say why.";
  },
};

const stream = new EventSource("events");
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
  choices.onmousedown = (event) => event.preventDefault(); // the caret stays in the text
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
  byId("take").onclick = () => {
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
    byId("rendering-says").textContent = about.saved ? "" : "It is saved first: the film is made from the file.";
    byId("rendering").showModal();
  };
  byId("begin").onclick = begin;
  byId("stop").onclick = () => post("stop");
  for (const button of document.querySelectorAll('menu button[value="cancel"]')) {
    button.onclick = () => button.closest("dialog").close();
  }
}

let over = ""; // the version of a file that may be overwritten

function askToSave() {
  if (!about.file) return;
  over = "";
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
  clearTimeout(typing);
  typing = null;
  const answer = await inTurn(async () => {
    const sent = text.value;
    const said = await post("save", { text: sent, file, over, revision });
    if (said.revision) accept(sent, said);
    return said;
  });
  over = answer.over ?? "";
  if (answer.ok) return true;
  const elsewhere = answer.stale ? "The text was changed elsewhere meanwhile; close this to see how." : "";
  byId("saving-asks").textContent = answer.asks ?? answer.problem ?? elsewhere;
  byId("write").textContent = answer.asks ? "Overwrite it" : "Write the file";
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

/* Handles: an input of a shot is turned, and its picture, sentence and numbers follow. Every stop
   was drawn when the page was made; this only shows it. One handle is turned at a time: the others
   go back to the film's own values. */
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const NARROW = matchMedia("(max-width: 40rem)");
  const found = new Map();

  async function unpack(box) {
    const packed = atob(box.querySelector(".packed").textContent);
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  class Handles {
    constructor(box, data) {
      this.box = box;
      this.data = data;
      this.turned = null;
      this.view = box.querySelector("svg.turned");
      this.controls = new Map();
      data.handles.forEach((handle) => {
        const control = box.querySelector(`.turn[data-input="${CSS.escape(handle.name)}"]`);
        this.controls.set(handle.name, control);
        control.addEventListener("input", (event) => {
          this.turn(handle.name, Number(event.target.value), true);
        });
      });
      if (isDeck) this.leaveKeysToTheDeck();
      box.querySelector(".reset").addEventListener("click", () => {
        this.turn(data.handles[0].name, data.handles[0].own, true);
      });
      NARROW.addEventListener("change", () => this.draw());
      this.turn(data.handles[0].name, data.handles[0].own, false);
      box.hidden = false;
    }

    /* After a turn by mouse or touch, and for the keys of a remote control, the deck goes on. */
    leaveKeysToTheDeck() {
      for (const input of this.box.querySelectorAll("input")) {
        input.addEventListener("pointerup", () => setTimeout(() => input.blur()));
        input.addEventListener("keydown", (event) => {
          if (!event.key.startsWith("Page")) return;
          event.preventDefault();
          input.blur();
        });
      }
    }

    turn(name, index, byReader) {
      const { handles } = this.data;
      for (const handle of handles) this.put(handle, handle.name === name ? index : handle.own);
      const handle = handles.find((one) => one.name === name);
      const stop = handle.stops[index];
      this.stop = stop;
      this.draw();
      this.tell(handle, index, stop);
      const isOwn = index === handle.own;
      this.box.querySelector(".reset").disabled = isOwn;
      if (byReader) this.address(isOwn ? null : handle, index);
    }

    put(handle, index) {
      const control = this.controls.get(handle.name);
      if (!handle.numbers) {
        control.querySelector(`input[value="${index}"]`).checked = true;
        return;
      }
      const range = control.querySelector("input");
      range.value = index;
      range.setAttribute("aria-valuetext", handle.texts[index]);
      control.querySelector("output").textContent = handle.texts[index];
    }

    draw() {
      const stop = this.stop;
      const { views, unit, shapes, paints } = this.data;
      /* The last view is for narrow screens. */
      const at = NARROW.matches ? views.length - 1 : 0;
      const { size: [width, height], pictures } = views[at];
      this.view.setAttribute("viewBox", `0 0 ${width * unit} ${height * unit}`);
      this.box.querySelector("figure").style.aspectRatio = `${width} / ${height}`;
      const picture = stop.pictures === null ? [] : pictures[stop.pictures[at]];
      const elements = [];
      for (let n = 0; n < picture.length; n += 4) {
        const path = document.createElementNS(SVG, "path");
        path.setAttribute("d", shapes[picture[n]]);
        const paint = paints[picture[n + 1]];
        for (const name of Object.keys(paint)) path.setAttribute(name, paint[name]);
        path.setAttribute("transform", `translate(${picture[n + 2]} ${picture[n + 3]})`);
        elements.push(path);
      }
      this.view.replaceChildren(...elements);
      this.view.setAttribute("aria-label", stop.alt);
      this.view.toggleAttribute("hidden", stop.pictures === null);
      this.box.querySelector(".none").hidden = stop.pictures !== null;
    }

    tell(handle, index, stop) {
      const refusal = this.box.querySelector(".refusal");
      refusal.hidden = !stop.refusals.length;
      refusal.querySelector("strong").textContent = `${handle.name} = ${handle.texts[index]}:`;
      refusal.querySelector(".why").textContent = stop.refusals.join(" ");
      const sentence = this.box.querySelector(".sentence");
      sentence.textContent = stop.refusals.length ? "" : stop.said;
      const adjusted = this.box.querySelector(".adjusted");
      adjusted.hidden = !stop.adjusted.length;
      adjusted.querySelector("span").textContent = stop.adjusted.join(", ");
      const table = this.box.querySelector("table");
      table.hidden = !stop.rows.length;
      const rows = stop.rows.map(([what, value, unit]) => {
        const row = document.createElement("tr");
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = what;
        const cell = document.createElement("td");
        cell.textContent = `${value} ${unit}`.trim();
        row.append(head, cell);
        return row;
      });
      table.tBodies[0].replaceChildren(...rows);
    }

    address(handle, index) {
      if (isDeck) return;
      const turned = handle && new URLSearchParams([[handle.name, handle.values[index]]]);
      /* An embedded page may not be allowed to change its address. */
      try {
        history.replaceState(null, "", `#${this.box.dataset.shot}${turned ? `?${turned}` : ""}`);
      } catch { /* the address stays */ }
    }
  }

  /* A deck has addresses of its own. */
  const isDeck = Boolean(document.querySelector(".reveal"));

  /* `#sub_diagonal?alpha=3` turns that handle to 3, and `#turn-sub_diagonal` only shows it. */
  function follow() {
    const [shot, wish] = decodeURI(location.hash.slice(1)).split("?");
    const handles = found.get(shot.replace(/^turn-/, ""));
    if (!handles || (wish === undefined && !shot.startsWith("turn-") && !isAlone)) return;
    for (const [name, value] of new URLSearchParams(wish ?? "")) {
      const handle = handles.data.handles.find((one) => one.name === name);
      const index = handle ? handle.values.findIndex((one) => String(one) === value) : -1;
      if (index >= 0) handles.turn(name, index, false);
    }
    handles.box.scrollIntoView({ block: "start" });
  }

  /* `page.html?turn#sub_diagonal` shows nothing but the handles of that shot, to be embedded. */
  const isAlone = new URLSearchParams(location.search).has("turn");

  function showAlone() {
    const shot = decodeURI(location.hash.slice(1)).split("?")[0].replace(/^turn-/, "");
    document.documentElement.classList.add("turn-alone");
    for (const [name, { box }] of found) box.classList.toggle("alone", name === shot);
  }

  async function begin() {
    if (!("DecompressionStream" in window)) return;
    for (const box of document.querySelectorAll(".handles")) {
      found.set(box.dataset.shot, new Handles(box, await unpack(box)));
    }
    if (isDeck) return;
    if (isAlone) showAlone();
    follow();
    window.addEventListener("hashchange", follow);
    document.documentElement.classList.add("can-turn");
  }

  begin();
})();

/* Handles: an input of a shot is turned, and its picture, sentence and numbers follow. Every stop
   was drawn when the page was made; this only shows it. */
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
      this.view = box.querySelector("svg.turned");
      this.controls = new Map();
      data.handles.forEach((handle, n) => {
        const control = box.querySelector(`.turn[data-input="${CSS.escape(handle.name)}"]`);
        this.controls.set(handle.name, control);
        control.addEventListener("input", (event) => this.turn({ [n]: Number(event.target.value) }));
      });
      this.own = data.handles.map((handle) => handle.own);
      this.at = [...this.own];
      if (isDeck) this.leaveKeysToTheDeck();
      box.querySelector(".reset").addEventListener("click", () => this.turn({ ...this.own }));
      NARROW.addEventListener("change", () => this.draw());
      this.show();
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

    /* Turn handles to stops, by their numbers. Where there is no picture of that with the other
       handles as they are, these go back to the film's own values. */
    turn(wanted, byReader = true) {
      const others = [this.at, this.own];
      this.at = others
        .map((rest) => rest.map((index, n) => wanted[n] ?? index))
        .find((at) => at.join() in this.data.stops) ?? this.at;
      this.show();
      if (byReader) this.address();
    }

    show() {
      this.stop = this.data.stops[this.at.join()];
      this.data.handles.forEach((handle, n) => this.put(handle, this.at[n]));
      this.draw();
      this.tell();
      this.box.querySelector(".reset").disabled = this.at.join() === this.own.join();
    }

    /* The handles that are not where the film has them. */
    away() {
      return this.data.handles.flatMap((handle, n) =>
        this.at[n] === handle.own ? [] : [[handle, this.at[n]]]);
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

    tell() {
      const { stop } = this;
      const refusal = this.box.querySelector(".refusal");
      refusal.hidden = !stop.refusals.length;
      const turned = this.away().map(([handle, index]) => `${handle.label} = ${handle.texts[index]}`);
      refusal.classList.toggle("untrue", stop.untrue);
      refusal.querySelector(".refused").hidden = !stop.untrue;
      refusal.querySelector("strong").textContent = turned.length ? `${turned.join(", ")}:` : "";
      refusal.querySelector(".why").textContent = stop.refusals.join(" ");
      const sentence = this.box.querySelector(".sentence");
      sentence.textContent = stop.untrue ? "" : stop.said;
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

    address() {
      if (isDeck) return;
      const pairs = this.away().map(([handle, index]) => [handle.name, handle.values[index]]);
      const turned = pairs.length ? `?${new URLSearchParams(pairs)}` : "";
      /* An embedded page may not be allowed to change its address. */
      try {
        history.replaceState(null, "", `#${this.box.dataset.shot}${turned}`);
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
    const wanted = {};
    for (const [name, value] of new URLSearchParams(wish ?? "")) {
      const n = handles.data.handles.findIndex((one) => one.name === name);
      const index = n < 0 ? -1 : handles.data.handles[n].values.findIndex((one) => String(one) === value);
      if (index >= 0) wanted[n] = index;
    }
    handles.turn(wanted, false);
    handles.box.scrollIntoView({ block: "start" });
  }

  /* `page.html?turn#sub_diagonal` shows nothing but the handles of that shot, to be embedded. */
  const isAlone = new URLSearchParams(location.search).has("turn");

  function showAlone() {
    /* The player may have added the beat: `#sub_diagonal/row`. */
    const shot = decodeURI(location.hash.slice(1)).split(/[/?]/)[0].replace(/^turn-/, "");
    document.documentElement.classList.add("turn-alone");
    /* An address without such a shot shows the handles of all. */
    for (const [name, { box }] of found) box.classList.toggle("alone", name === shot || !found.has(shot));
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

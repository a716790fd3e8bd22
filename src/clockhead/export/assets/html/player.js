/* The player: plays through, beat by beat or still by still. Everything that it needs is on the
   page, except the film. */
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const player = byId("player");
  const film = byId("film");
  const cover = byId("still");
  const sentence = byId("sentence");
  const controls = byId("controls");
  const position = byId("position");
  const transcript = byId("transcript");
  const total = Number(position.max);

  /* A frame at 60 per second: the film is paused this early, then set to the exact frame. */
  const FRAME = 1 / 60;
  const SKIP = 5;
  const SCROLL_PAUSE = 4000;
  const IDLE_AFTER = 2500;
  /* Height in pixels of frames that have room for more than the film. */
  const EMBEDDED_BELOW = 700;

  /* Where "step by step" stops: at the end of every beat, and after every question. */
  const beats = JSON.parse(byId("beats").textContent);
  const stops = beats.flatMap(stopsOf).map((stop, index) => ({ ...stop, index }));
  const shots = shotsOf(stops);

  let mode = "";
  let at = 0;
  let goal = null;
  let begun = false;
  let sought = 0;
  let captionsWanted = null;
  let followAgainAt = 0;
  /* The last stop that the film has passed, and the one where something else holds it. */
  let passed = -1;
  let held = "";

  function stopsOf(beat) {
    const picture = document.querySelector(`[data-beat="${CSS.escape(beat.id)}"]`);
    const said = [beat.asked, beat.said].filter(Boolean).join(" ");
    const answer = { id: beat.id, from: beat.answered_from, to: beat.end, said: beat.said, picture };
    if (beat.asked_until === null) return [{ ...answer, whole: said }];
    const id = `${beat.id}/question`;
    const question = { id, from: beat.start, to: beat.asked_until, said: beat.asked, asks: true };
    return [{ ...question, whole: said, picture }, { ...answer, whole: said }];
  }

  function shotsOf(all) {
    const found = new Map();
    for (const stop of all) {
      const shot = stop.id.split("/")[0];
      if (!found.has(shot)) found.set(shot, { id: shot, from: found.size ? stop.from : 0 });
    }
    const list = [...found.values()];
    list.forEach((shot, n) => {
      shot.to = n + 1 < list.length ? list[n + 1].from : total;
      shot.title = byId(`title-${shot.id}`).textContent;
    });
    return list;
  }

  const inStills = () => mode === "stills";
  const now = () => (inStills() ? stops[at].to : film.currentTime);
  const stopAt = (time) => {
    const after = stops.findIndex((stop) => stop.from > time + FRAME / 2);
    return Math.max(0, (after < 0 ? stops.length : after) - 1);
  };
  const rankOf = (still) => stops.filter((one) => !one.asks && one.index <= still.index).length;
  const clock = (time) => {
    const seconds = Math.floor(time + 1e-6);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  /* ---- Moving through the film ---- */

  function setMode(wish) {
    if (wish === mode) return;
    const time = mode ? now() : 0;
    const isFirst = !begun;
    release();
    if (film) film.pause();
    goal = null;
    mode = wish;
    player.dataset.mode = mode;
    for (const button of controls.querySelectorAll("[data-mode]")) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    }
    byId("keys").hidden = mode === "through";
    if (inStills()) {
      showStill(stillNear(stopAt(time)));
    } else {
      uncover();
      if (!isFirst) seek(time);
    }
    showCaptions();
    update();
  }

  /* Whether something else on the page holds the film at a stop. It may let it go on; whatever
     moves the film before that releases it. */
  function hold(stop, goOn) {
    const detail = { id: stop.id, goOn };
    const asked = new CustomEvent("hold", { detail, cancelable: true });
    if (player.dispatchEvent(asked)) return false;
    held = stop.id;
    return true;
  }

  function release() {
    if (held) player.dispatchEvent(new CustomEvent("release"));
    held = "";
  }

  function seek(time) {
    release();
    goal = null;
    begun = true;
    uncover();
    sought = time;
    film.currentTime = time;
    at = stopAt(time);
    passed = at - 1;
    update();
  }

  function play() {
    release();
    begun = true;
    uncover();
    film.play().catch(() => update());
  }

  function playTo(index) {
    goal = Math.min(index, stops.length - 1);
    play();
  }

  function pauseAtGoal() {
    const stop = stops[goal];
    film.pause();
    film.currentTime = stop.to;
    at = passed = stop.index;
    goal = null;
    say(stop.said);
    update();
    hold(stop, next);
  }

  /* Pause at the first stop that has been reached and holds the film. */
  function pauseIfHeld(time) {
    while (passed + 1 < stops.length && stops[passed + 1].to - FRAME <= time) {
      passed += 1;
      const stop = stops[passed];
      if (hold(stop, play)) {
        film.pause();
        film.currentTime = stop.to;
        at = stop.index;
        say(stop.said);
        update();
        return true;
      }
    }
    return false;
  }

  function next() {
    if (inStills()) return nextStill();
    if (mode === "through") return seek(stops[Math.min(at + 1, stops.length - 1)].from);
    if (goal !== null && !film.paused) return pauseAtGoal();
    const done = film.currentTime >= stops[at].to - FRAME;
    if (done && at === stops.length - 1) return undefined;
    return playTo(done ? at + 1 : at);
  }

  function back() {
    if (inStills()) return showStill(stillNear(at - 1, -1));
    if (mode === "through") {
      const again = film.currentTime > stops[at].from + 1.5;
      return seek(stops[Math.max(0, again ? at : at - 1)].from);
    }
    film.pause();
    return rest(stops[Math.max(0, at - 1)]);
  }

  /* Stand at the end of a stop. */
  function rest(stop) {
    seek(stop.to);
    say(stop.said);
    hold(stop, next);
  }

  function playOrPause() {
    if (inStills()) return next();
    if (!film.paused) return film.pause();
    return mode === "steps" ? next() : play();
  }

  /* The stop with this address, or the first stop of the shot with this address. */
  function stopOf(address) {
    const id = decodeURIComponent(address.replace(/^#/, ""));
    return stops.find((stop) => stop.id === id) ??
      stops.find((stop) => id && stop.id.startsWith(`${id}/`));
  }

  function goTo(stop) {
    begun = true;
    if (inStills()) return showStill(stillNear(stop.index));
    if (mode === "steps") {
      film.pause();
      return rest(stop);
    }
    seek(stop.from);
    if (film.paused) showCover(stop);
    return update();
  }

  /* ---- Stills ---- */

  /* A question has no still; that of its answer has both sentences. */
  function stillNear(index, way = 1) {
    let near = Math.min(Math.max(index, 0), stops.length - 1);
    while (stops[near].asks) near += way < 0 && near > 0 ? -1 : 1;
    return near;
  }

  /* A question is asked over the still before its answer. */
  function nextStill() {
    const index = stillNear(at + 1);
    const question = stops[index - 1];
    const asks = index > at && question.asks && held !== question.id;
    if (asks && hold(question, () => showStill(index))) return say(question.said);
    showStill(index);
    return hold(stops[index], nextStill);
  }

  function showStill(index) {
    release();
    at = index;
    showCover(stops[index]);
    say(stops[index].whole);
    update();
  }

  function showCover(stop) {
    cover.src = stop.picture.src;
    cover.alt = stop.picture.alt;
    cover.hidden = false;
    sentence.textContent = stop.whole;
    showCaptions();
  }

  function uncover() {
    if (!film) return;
    cover.hidden = true;
    sentence.hidden = true;
  }

  /* ---- Display ---- */

  function placeOf(stop, time) {
    if (mode === "through") return `${clock(time)} / ${clock(total)}`;
    if (inStills()) return `${rankOf(stop)} / ${rankOf(stops.at(-1))}`;
    return `${stop.index + 1} / ${stops.length}`;
  }

  function update() {
    const time = now();
    const stop = stops[at];
    const shot = shots.find((one) => stop.id.startsWith(`${one.id}/`));
    const place = placeOf(stop, time);
    position.value = time;
    position.setAttribute("aria-valuetext", `${place}, ${shot.title}`);
    byId("place").firstChild.textContent = place;
    byId("place").lastChild.textContent = shot.title;
    player.classList.toggle("playing", Boolean(film) && !film.paused);
    player.classList.toggle("begun", begun || inStills());
    const button = byId("play");
    if (button) {
      const does = film.paused ? button.dataset.play : button.dataset.pause;
      button.setAttribute("aria-label", does);
      button.title = does;
      button.hidden = inStills();
    }
    const turn = byId("turn");
    if (turn) {
      /* Of the shot that plays, if it has handles. */
      turn.hidden = !byId(`turn-${shot.id}`);
      turn.href = `#turn-${shot.id}`;
    }
    for (const one of shots) {
      const share = (time - one.from) / (one.to - one.from);
      one.fill.style.width = `${100 * Math.min(1, Math.max(0, share))}%`;
    }
    follow(stop);
  }

  function follow(stop) {
    if (!begun && !inStills()) return;
    const heard = stop.said ? stop : stops.findLast((one) => one.said && one.index < stop.index);
    const link = heard && transcript.querySelector(`a[href="#${CSS.escape(heard.id)}"]`);
    const before = transcript.querySelector("[aria-current]");
    if (link === before) return;
    before?.removeAttribute("aria-current");
    if (!link) return;
    link.setAttribute("aria-current", "true");
    if (Date.now() > followAgainAt) {
      const top = link.getBoundingClientRect().top - transcript.getBoundingClientRect().top;
      transcript.scrollTop += top - transcript.clientHeight / 3;
    }
    /* An embedded page may not be allowed to change its address. */
    try {
      history.replaceState(null, "", `#${stop.id}`);
    } catch { /* the address stays */ }
  }

  function say(text) {
    byId("heard").textContent = text;
  }

  function showCaptions() {
    const setting = player.dataset.captions;
    const track = film?.querySelector("track").track;
    if (track) {
      track.mode = captionsWanted ?? setting === "track" ? "showing" : "disabled";
      for (const other of film.textTracks) if (other !== track) other.mode = "disabled";
    }
    const overStill = captionsWanted ?? setting !== "off";
    sentence.hidden = cover.hidden || !overStill || !sentence.textContent;
    const shown = inStills() ? overStill : track?.mode === "showing";
    byId("captions").setAttribute("aria-pressed", String(shown));
  }

  function drawMarks() {
    const marks = byId("marks");
    const across = (time) => `${(100 * time) / total}%`;
    for (const shot of shots) {
      const bar = document.createElement("span");
      bar.style.left = across(shot.from);
      bar.style.width = `calc(${across(shot.to - shot.from)} - 3px)`;
      shot.fill = bar.appendChild(document.createElement("i"));
      marks.append(bar);
    }
    for (const stop of stops) {
      if (shots.some((shot) => Math.abs(shot.to - stop.to) < 0.5)) continue;
      const mark = document.createElement("b");
      mark.style.left = across(stop.to);
      marks.append(mark);
    }
  }

  function everyFrame() {
    if (!film || film.paused) return;
    const time = film.currentTime;
    if (goal !== null && time >= stops[goal].to - FRAME) {
      pauseAtGoal();
      return;
    }
    if (mode === "through" && pauseIfHeld(time)) return;
    at = stopAt(time);
    update();
    requestAnimationFrame(everyFrame);
  }

  /* ---- Keyboard, remote control and pointer ---- */

  const wholeScreen = () => document.fullscreenElement === player;

  function isInView() {
    const box = player.querySelector(".screen").getBoundingClientRect();
    const seen = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
    return wholeScreen() || seen > box.height / 3;
  }

  function actionOf(event) {
    const slides = mode !== "through";
    const slider = event.target === position;
    const pages = slides || wholeScreen();
    switch (event.key) {
      case " ":
        return event.target.closest("button, summary") ? null : playOrPause;
      case "ArrowRight":
        return slides ? next : () => seek(Math.min(total, film.currentTime + SKIP));
      case "ArrowLeft":
        return slides ? back : () => seek(Math.max(0, film.currentTime - SKIP));
      case "ArrowUp":
        if (slider) return next;
        return wholeScreen() ? back : null;
      case "ArrowDown":
        if (slider) return back;
        return wholeScreen() ? next : null;
      case "PageDown":
        return pages ? next : null;
      case "PageUp":
        return pages ? back : null;
      default:
        return null;
    }
  }

  function onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.(".handles")) return;
    const scrolls = event.target.matches?.("[tabindex='0']") && !wholeScreen();
    if (!isInView() || (scrolls && /^(Page|Arrow(Up|Down))/.test(event.key))) return;
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    /* Page keys in full screen come from a lecturer's remote control. */
    if (mode === "through" && event.key.startsWith("Page")) setMode("steps");
    action();
  }

  function onLink(event) {
    const link = event.target.closest("a[href^='#']");
    const stop = link && stopOf(link.getAttribute("href"));
    if (!stop || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    followAgainAt = 0;
    goTo(stop);
    player.scrollIntoView({ block: "nearest" });
  }

  function enlarge() {
    if (wholeScreen()) document.exitFullscreen();
    else if (player.requestFullscreen) player.requestFullscreen();
    else film?.webkitEnterFullscreen?.();
  }

  function hideWhenIdle() {
    let timer = 0;
    const wake = () => {
      player.classList.remove("idle");
      clearTimeout(timer);
      timer = setTimeout(() => player.classList.add("idle"), IDLE_AFTER);
    };
    player.addEventListener("pointermove", wake);
    document.addEventListener("fullscreenchange", wake);
  }

  /* ---- The film ---- */

  function unpack() {
    const packed = byId("packed");
    if (!packed) return;
    const text = atob(packed.textContent.slice(packed.textContent.indexOf(",") + 1));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    film.src = URL.createObjectURL(new Blob([bytes], { type: "video/mp4" }));
  }

  /* Without range requests the film cannot be sought; then load all of it first. */
  async function loadWhole() {
    const { seekable } = film;
    const free = seekable.length && seekable.end(seekable.length - 1) > film.duration - 0.5;
    if (free || !/^http/.test(film.currentSrc)) return;
    const answer = await fetch(film.currentSrc);
    const whole = await answer.blob();
    const [time, plays] = [film.currentTime || sought, !film.paused];
    film.src = URL.createObjectURL(whole);
    if (begun) film.currentTime = time;
    if (plays) film.play();
  }

  function connect() {
    byId("next").addEventListener("click", next);
    byId("back").addEventListener("click", back);
    byId("larger").addEventListener("click", enlarge);
    byId("captions").addEventListener("click", (event) => {
      captionsWanted = event.currentTarget.getAttribute("aria-pressed") !== "true";
      showCaptions();
    });
    player.querySelector(".screen").addEventListener("click", () => {
      if (mode === "through") playOrPause();
      else next();
    });
    position.addEventListener("input", () => {
      if (inStills()) showStill(stillNear(stopAt(Number(position.value))));
      else seek(Number(position.value));
    });
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onLink);
    document.addEventListener("fullscreenchange", () => {
      byId("larger").setAttribute("aria-pressed", String(wholeScreen()));
    });
    window.addEventListener("hashchange", () => {
      const stop = stopOf(location.hash);
      if (stop && stop.index !== at) goTo(stop);
    });
    for (const moved of ["wheel", "touchmove"]) {
      transcript.addEventListener(moved, () => {
        followAgainAt = Date.now() + SCROLL_PAUSE;
      }, { passive: true });
    }
    hideWhenIdle();
  }

  function connectFilm() {
    byId("play").addEventListener("click", playOrPause);
    byId("sound")?.addEventListener("click", (event) => {
      film.muted = !film.muted;
      event.currentTarget.setAttribute("aria-pressed", String(!film.muted));
    });
    for (const button of controls.querySelectorAll("[data-mode]")) {
      button.addEventListener("click", () => setMode(button.dataset.mode));
    }
    film.addEventListener("play", () => requestAnimationFrame(everyFrame));
    film.addEventListener("timeupdate", () => {
      /* In a background tab there are no animation frames, but beats must still end. */
      if (goal !== null && film.currentTime >= stops[goal].to - FRAME) pauseAtGoal();
      else if (mode === "through" && !film.paused) pauseIfHeld(film.currentTime);
    });
    for (const event of ["play", "pause", "seeked", "ended"]) film.addEventListener(event, update);
    film.textTracks.addEventListener("addtrack", showCaptions);
    film.addEventListener("loadedmetadata", loadWhole);
    if (film.readyState > 0) loadWhole();
    film.controls = false;
    unpack();
  }

  /* With ?embed, show only the film; in a small frame of another page too, but for ?whole and
     ?turn, which want more. */
  function fitFrame() {
    const wish = new URLSearchParams(location.search);
    const small = window.self !== window.top && innerHeight < EMBEDDED_BELOW;
    const more = wish.has("whole") || wish.has("turn");
    document.documentElement.classList.toggle("embedded", wish.has("embed") || (small && !more));
  }

  function begin() {
    fitFrame();
    window.addEventListener("resize", fitFrame);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const stepped = new URLSearchParams(location.search).has("steps");
    drawMarks();
    connect();
    if (film) connectFilm();
    controls.hidden = false;
    if (!film || calm.matches) setMode("stills");
    else setMode(stepped ? "steps" : "through");
    if (film) calm.addEventListener("change", () => calm.matches && setMode("stills"));
    const stop = stopOf(location.hash);
    if (stop) goTo(stop);
  }

  begin();
})();

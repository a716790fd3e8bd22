/* Tells a learning platform, through SCORM 1.2, which beats were seen, where a learner stopped,
   what was answered at quizzes, and when all of the film was seen. Without a platform it does nothing. */
"use strict";

(() => {
  const MAX_FRAMES = 32;
  /* Who has watched a beat until so many seconds before its end has seen it. */
  const ALMOST = 0.3;

  function findIn(start) {
    let place = start;
    for (let n = 0; place && n < MAX_FRAMES; n += 1) {
      try {
        if (place.API) return place.API;
      } catch {
        return null; /* a page of another site */
      }
      place = place.parent === place ? null : place.parent;
    }
    return null;
  }

  const api = findIn(window) ?? findIn(window.opener);
  if (!api || String(api.LMSInitialize("")) !== "true") return;

  const begun = Date.now();
  const beats = JSON.parse(document.getElementById("beats").textContent);
  const film = document.getElementById("film");
  const still = document.getElementById("still");
  const player = document.getElementById("player");
  const kept = api.LMSGetValue("cmi.suspend_data");
  const seen = beats.map((_, n) => kept.length === beats.length && kept[n] === "1");
  let answered = 0;
  let open = true;

  function isDone() {
    return /^(completed|passed|failed)$/.test(api.LMSGetValue("cmi.core.lesson_status"));
  }

  function see(n) {
    if (seen[n] || !open) return;
    seen[n] = true;
    api.LMSSetValue("cmi.suspend_data", seen.map(Number).join(""));
    api.LMSSetValue("cmi.core.lesson_location", beats[n].id);
    if (seen.every(Boolean) && !isDone()) api.LMSSetValue("cmi.core.lesson_status", "completed");
    api.LMSCommit("");
  }

  function seeWhatWasPlayed() {
    beats.forEach(({ start, end }, n) => {
      const moment = Math.max(start, end - ALMOST);
      for (let k = 0; k < film.played.length; k += 1) {
        if (film.played.start(k) <= moment && film.played.end(k) >= moment) see(n);
      }
    });
  }

  function seeStill() {
    if (player.dataset.mode !== "stills" || still.hidden) return;
    const shown = [...document.querySelectorAll("[data-beat]")].find(({ src }) => src === still.src);
    see(beats.findIndex(({ id }) => id === shown?.dataset.beat));
  }

  /* An answer is a letter; the addresses of questions have no signs that SCORM refuses. */
  function tellAnswer({ detail }) {
    if (!open) return;
    const letters = "abcdef";
    const interaction = {
      id: detail.id.replace(/[^\w-]/g, "-"),
      type: "choice",
      "correct_responses.0.pattern": letters[detail.right],
      student_response: letters[detail.answer],
      result: detail.answer === detail.right ? "correct" : "wrong",
    };
    for (const [name, value] of Object.entries(interaction)) {
      api.LMSSetValue(`cmi.interactions.${answered}.${name}`, value);
    }
    answered += 1;
    api.LMSCommit("");
  }

  /* hours:minutes:seconds, as SCORM writes them. */
  function clock(milliseconds) {
    const seconds = Math.floor(milliseconds / 1000);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return parts.map((part) => String(part).padStart(2, "0")).join(":");
  }

  function leave() {
    if (!open) return;
    api.LMSSetValue("cmi.core.session_time", clock(Date.now() - begun));
    api.LMSSetValue("cmi.core.exit", seen.every(Boolean) ? "" : "suspend");
    api.LMSCommit("");
    api.LMSFinish("");
    open = false;
  }

  if (!isDone()) api.LMSSetValue("cmi.core.lesson_status", "incomplete");
  const location = api.LMSGetValue("cmi.core.lesson_location");
  if (!window.location.hash && beats.some(({ id }) => id === location)) {
    window.location.replace(`#${location}`);
  }
  for (const event of ["timeupdate", "pause", "ended"]) film?.addEventListener(event, seeWhatWasPlayed);
  new MutationObserver(seeStill).observe(still, { attributes: true });
  seeStill();
  if (document.querySelector(".quiz")) {
    answered = Number(api.LMSGetValue("cmi.interactions._count")) || 0;
    document.addEventListener("answer", tellAnswer);
  }
  window.addEventListener("pagehide", leave);
})();

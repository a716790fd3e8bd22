/* Quizzes. A page's player asks at every stop whether the film is held there ("hold"), and says when
   it moves again ("release"). In a deck, a quiz is there when the movie of its slide has ended. */
"use strict";

(() => {
  const quizzes = [...document.querySelectorAll(".quiz")];
  const player = document.getElementById("player");
  /* Letters of answers that stand side by side. */
  const LONGEST = 40;
  let open = null;

  const answersOf = (quiz) => [...quiz.querySelectorAll(".answer")];

  /* As it was before anybody chose. */
  function reset(quiz) {
    for (const answer of answersOf(quiz)) {
      answer.disabled = false;
      answer.classList.remove("right", "wrong");
      answer.setAttribute("aria-pressed", "false");
    }
    const told = quiz.querySelector("[role='status']");
    told.textContent = told.dataset.choose;
    quiz.querySelector(".go-on").hidden = true;
  }

  function show(quiz, goOn) {
    if (open && open.quiz !== quiz) close();
    reset(quiz);
    quiz.hidden = false;
    open = { quiz, goOn };
  }

  function close() {
    if (!open) return;
    const { quiz } = open;
    const hadFocus = quiz.contains(document.activeElement);
    open = null;
    quiz.hidden = true;
    if (hadFocus) (document.getElementById("play") ?? document.getElementById("next"))?.focus();
  }

  function choose(quiz, index) {
    const answers = answersOf(quiz);
    if (answers[index].disabled) return;
    const right = Number(quiz.dataset.right);
    answers.forEach((answer, n) => {
      answer.disabled = true;
      answer.setAttribute("aria-pressed", String(n === index));
      answer.classList.toggle("right", n === right);
      answer.classList.toggle("wrong", n === index && n !== right);
    });
    const told = quiz.querySelector("[role='status']");
    const text = answers[right].querySelector("[dir]").textContent;
    told.textContent = index === right ? told.dataset.right : `${told.dataset.wrong} ${text}`;
    const next = quiz.querySelector(".go-on");
    next.hidden = false;
    next.focus({ preventScroll: true });
    const chosen = { id: quiz.dataset.at, answer: index, right };
    quiz.dispatchEvent(new CustomEvent("answer", { detail: chosen, bubbles: true }));
  }

  function goOn(quiz) {
    const then = open?.quiz === quiz ? open.goOn : null;
    close();
    then?.();
  }

  function onKey(quiz, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const answers = answersOf(quiz);
    const at = answers.indexOf(document.activeElement);
    const number = Number(event.key);
    if (number >= 1 && number <= answers.length) {
      choose(quiz, number - 1);
    } else if (at >= 0 && event.key === "ArrowDown") {
      answers[(at + 1) % answers.length].focus();
    } else if (at >= 0 && event.key === "ArrowUp") {
      answers[(at + answers.length - 1) % answers.length].focus();
    } else if (event.key !== " " && event.key !== "Enter") {
      return;
    } else {
      /* The button does what it does, and a deck does not go on. */
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  for (const quiz of quizzes) {
    const longest = Math.max(...answersOf(quiz).map((answer) => answer.textContent.trim().length));
    quiz.querySelector("ol").classList.toggle("short", longest <= LONGEST);
    answersOf(quiz).forEach((answer, n) => answer.addEventListener("click", () => choose(quiz, n)));
    quiz.querySelector(".go-on").addEventListener("click", () => goOn(quiz));
    quiz.addEventListener("keydown", (event) => onKey(quiz, event));
  }

  /* ---- On a page ---- */

  player?.addEventListener("hold", (event) => {
    const { id, goOn: then } = event.detail;
    const quiz = quizzes.find((one) => one.dataset.at === id);
    if (!quiz) return;
    event.preventDefault();
    const film = document.getElementById("film");
    if (film?.webkitDisplayingFullscreen) film.webkitExitFullscreen(); /* shows nothing but a film */
    show(quiz, then);
    const { activeElement } = document;
    if (activeElement === document.body || player.contains(activeElement)) {
      answersOf(quiz)[0].focus({ preventScroll: true });
    }
    quiz.scrollIntoView({ block: "nearest" });
  });
  player?.addEventListener("release", close);

  /* ---- In a deck ---- */

  function connectDeck(deck) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)");

    /* A deck of ours marks a slide as ended when it shows its end at once. */
    const marks = new MutationObserver(([{ target }]) => {
      if (target.classList.contains("ended")) appear(target);
    });

    function appear(slide) {
      const quiz = slide.querySelector(":scope > .quiz");
      if (quiz?.hidden && deck.getCurrentSlide() === slide) show(quiz, () => deck.next());
    }

    function visit(slide) {
      marks.disconnect();
      close();
      if (!slide?.querySelector(":scope > .quiz")) return;
      const movie = slide.querySelector("video");
      const ended = !movie || slide.classList.contains("ended");
      if (ended || calm.matches || deck.isSpeakerNotes()) return void appear(slide);
      movie.addEventListener("ended", () => appear(slide), { once: true });
      marks.observe(slide, { attributeFilter: ["class"] });
    }
    deck.on("slidechanged", ({ currentSlide }) => visit(currentSlide));
    if (deck.isReady()) visit(deck.getCurrentSlide());
    else deck.on("ready", ({ currentSlide }) => visit(currentSlide));
  }

  if (!player && quizzes.length) {
    /* The deck's own scripts may come after the slides. */
    addEventListener("load", () => {
      const found = typeof deck === "undefined" ? window.Reveal : deck;
      if (found?.on) connectDeck(found);
    });
  }
})();

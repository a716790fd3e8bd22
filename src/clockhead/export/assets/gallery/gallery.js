/* The search: shows the stages with all of the words, in their names or texts. */
"use strict";

(() => {
  const wanted = document.getElementById("wanted");
  const cards = [...document.querySelectorAll("li")].map((card) => {
    const texts = [...card.querySelectorAll("h3, p:not(.none)")].map((part) => part.textContent);
    return { card, text: texts.join(" ").toLowerCase() };
  });

  function search() {
    const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    for (const { card, text } of cards) {
      card.hidden = !words.every((word) => text.includes(word));
      if (!card.hidden) number += 1;
    }
    for (const section of document.querySelectorAll("section")) {
      section.hidden = !section.querySelector("li:not([hidden])");
    }
    document.getElementById("found").textContent = `${number} of ${cards.length}`;
  }

  wanted.addEventListener("input", search);
  search();
})();

/* Search in the sentences of all films. Everything it searches is on the page. */
"use strict";

(() => {
  const MOST = 60;
  const byId = (id) => document.getElementById(id);
  const words = byId("words");
  const count = byId("count");
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const films = [...document.querySelectorAll("#films > article")];
  const places = JSON.parse(byId("sentences").textContent).map(([film, at, title, text]) => ({
    film: films[film], at, title, text, plain: plain(`${title} ${text}`),
  }));

  function search() {
    const wanted = plain(words.value).split(/\s+/).filter(Boolean);
    const found = wanted.length
      ? places.filter((place) => wanted.every((word) => place.plain.includes(word)))
      : [];
    byId("results").hidden = !wanted.length;
    byId("films").hidden = Boolean(wanted.length);
    const { one, many, most, none } = count.dataset;
    const first = found.length > MOST ? `${most.replace("{most}", MOST)} ` : "";
    count.textContent = found.length ? `${first}${found.length} ${found.length === 1 ? one : many}` : none;
    byId("places").replaceChildren(...found.slice(0, MOST).map((place) => entry(place, wanted)));
    const address = wanted.length ? `?find=${encodeURIComponent(words.value)}` : location.pathname;
    try {
      history.replaceState(null, "", address);
    } catch { /* the address stays */ }
  }

  function entry({ film, at, title, text }, wanted) {
    const link = document.createElement("a");
    link.href = `${film.id}/index.html#${at}`;
    link.append(...marked(text, wanted));
    const where = document.createElement("p");
    where.className = "about";
    where.textContent = `${film.querySelector("h2").textContent} · ${title}`;
    const item = document.createElement("li");
    item.lang = film.lang;
    item.append(link, where);
    return item;
  }

  /* The text in pieces, with the words that were looked for in marks. */
  function marked(text, wanted) {
    const letters = [...text];
    const lower = letters.map(plain);
    const isMarked = letters.map(() => false);
    for (const word of wanted) {
      for (let start = 0; start < letters.length; start += 1) {
        let end = start;
        let so_far = "";
        while (end < letters.length && so_far.length < word.length) {
          so_far += lower[end];
          end += 1;
        }
        if (so_far === word) isMarked.fill(true, start, end);
      }
    }
    const pieces = [];
    letters.forEach((letter, n) => {
      if (!n || isMarked[n] !== isMarked[n - 1]) {
        pieces.push(document.createElement(isMarked[n] ? "mark" : "span"));
      }
      pieces.at(-1).textContent += letter;
    });
    return pieces;
  }

  byId("search").hidden = false;
  byId("search").addEventListener("submit", (event) => event.preventDefault());
  words.addEventListener("input", search);
  words.value = new URLSearchParams(location.search).get("find") ?? "";
  if (words.value) search();
})();

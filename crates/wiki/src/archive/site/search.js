// The search of a site: all words in the title or the text, titles first. Without scripts, the list of pages stays.
"use strict";

(() => {
  const MAX_FOUND = 50;
  const AROUND = 60;
  const [label, input] = [document.querySelector(".search"), document.querySelector("input")];
  const [found, none, tree] = [document.querySelector(".found"), document.querySelector(".none"), document.querySelector("nav")];
  const fold = (text) => text.normalize("NFKC").toLowerCase();
  const pages = window.searchData.map(([title, address, text]) => ({ title, address, text, name: fold(title), words: fold(text) }));

  function search() {
    const terms = fold(input.value).split(/\s+/).filter((term) => term !== "");
    const hits = terms.length === 0 ? [] : pages.filter(({ name, words }) => terms.every((term) => name.includes(term) || words.includes(term)));
    const inTitle = ({ name }) => terms.filter((term) => name.includes(term)).length;
    hits.sort((a, b) => inTitle(b) - inTitle(a));
    found.replaceChildren(...hits.slice(0, MAX_FOUND).map((page) => item(page, terms)));
    found.hidden = hits.length === 0;
    tree.hidden = terms.length > 0;
    none.hidden = terms.length === 0 || hits.length > 0;
  }

  function item(page, terms) {
    const [row, link, line] = ["li", "a", "p"].map((tag) => document.createElement(tag));
    link.href = page.address;
    link.textContent = page.title;
    line.append(...snippet(page, terms));
    row.append(link, line);
    return row;
  }

  // Folding may change the length of a text, so the place of a word is searched for again in the text itself.
  function snippet({ text, words }, terms) {
    const term = terms.find((each) => words.includes(each));
    if (term === undefined) return [text.slice(0, 2 * AROUND)];
    const lower = text.toLowerCase();
    const exact = lower.length === text.length ? lower.indexOf(term) : -1;
    if (exact < 0) return [text.slice(0, 2 * AROUND)];
    const start = Math.max(0, exact - AROUND);
    const mark = document.createElement("mark");
    mark.textContent = text.slice(exact, exact + term.length);
    const before = (start > 0 ? "…" : "") + text.slice(start, exact);
    return [before, mark, text.slice(exact + term.length, exact + term.length + AROUND)];
  }

  label.hidden = false;
  input.addEventListener("input", search);
  input.focus();
})();

// Syntax highlighting of code (highlight.js). The colours are the page's own: see `page.css`.
import hljs from "highlight.js/lib/common";
import type { LanguageFn } from "highlight.js";
import { trustedHtml } from "../sanitizing/trusted-html";

type Fetch = () => Promise<{ default: LanguageFn }>;

/** The languages beyond the common ones, each in a file of its own. */
const FURTHER = new Map<string, Fetch>(
  Object.entries({
    awk: () => import("highlight.js/lib/languages/awk"),
    clojure: () => import("highlight.js/lib/languages/clojure"),
    cmake: () => import("highlight.js/lib/languages/cmake"),
    dart: () => import("highlight.js/lib/languages/dart"),
    dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
    elixir: () => import("highlight.js/lib/languages/elixir"),
    erlang: () => import("highlight.js/lib/languages/erlang"),
    groovy: () => import("highlight.js/lib/languages/groovy"),
    haskell: () => import("highlight.js/lib/languages/haskell"),
    http: () => import("highlight.js/lib/languages/http"),
    julia: () => import("highlight.js/lib/languages/julia"),
    latex: () => import("highlight.js/lib/languages/latex"),
    lisp: () => import("highlight.js/lib/languages/lisp"),
    matlab: () => import("highlight.js/lib/languages/matlab"),
    nginx: () => import("highlight.js/lib/languages/nginx"),
    nix: () => import("highlight.js/lib/languages/nix"),
    ocaml: () => import("highlight.js/lib/languages/ocaml"),
    powershell: () => import("highlight.js/lib/languages/powershell"),
    protobuf: () => import("highlight.js/lib/languages/protobuf"),
    scala: () => import("highlight.js/lib/languages/scala"),
    vim: () => import("highlight.js/lib/languages/vim"),
  }),
);
const OTHER_NAMES = new Map(
  Object.entries({ docker: "dockerfile", hs: "haskell", tex: "latex", ps1: "powershell", proto: "protobuf" }),
);

/** The maximum length that is highlighted, in characters: colours are not worth a page that freezes. */
const MAX_LENGTH = 50_000;

/** Highlights the code in an element that contains only text. Code in an unknown language stays as it is. */
export async function colour(code: HTMLElement, language: string): Promise<void> {
  const text = code.textContent;
  if (text.length > MAX_LENGTH) return;
  const name = OTHER_NAMES.get(language) ?? language;
  const fetch = FURTHER.get(name);
  if (fetch !== undefined && hljs.getLanguage(name) === undefined) hljs.registerLanguage(name, (await fetch()).default);
  paint(code, name);
}

/** Highlights at once if the language is loaded; false if it is not. */
export function colourNow(code: HTMLElement, language: string): boolean {
  const name = OTHER_NAMES.get(language) ?? language;
  if (FURTHER.has(name) && hljs.getLanguage(name) === undefined) return false;
  if (code.textContent.length <= MAX_LENGTH) paint(code, name);
  return true;
}

function paint(code: HTMLElement, language: string): void {
  if (hljs.getLanguage(language) === undefined) return;
  // The library escapes every character of the text; the spans are its own.
  code.innerHTML = trustedHtml(hljs.highlight(code.textContent, { language, ignoreIllegals: true }).value);
}

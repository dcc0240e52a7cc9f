// What the server's HTML says about the page before anything is asked.
import type { Language, PageMeta, Settings, User } from "../api/backend";

export interface FirstFrame {
  root: HTMLElement;
  language: Language;
  /** The address for which the next two hold. */
  address: string;
  /** null when no page exists at this address. */
  pageId: string | null;
  revision: number | null;
  /** null when the server sent none: then they are asked for. */
  answers: FirstAnswers | null;
}

/** Answers to what every page asks first: the same that `/api/settings`, `/api/users/me` and a page's `meta` give. */
export interface FirstAnswers {
  /** The id of the last event before these answers. */
  since: string;
  settings: Settings;
  /** null when no user has been registered yet. */
  user: User | null;
  /** null when there is no page at this address, or not this revision. */
  page: PageMeta | null;
  /** Whether unsaved text waits for the page. */
  unsaved: boolean;
}

export function readFrame(html: Document): FirstFrame {
  const root = html.getElementById("wiki-root");
  if (!root) throw new Error("BUG: the server's HTML has no #wiki-root");
  const revision = meta(html, "wiki-page-revision");
  return {
    root,
    language: languageOf(html.documentElement.dataset["language"]),
    address: html.location.pathname + html.location.search,
    pageId: meta(html, "wiki-page-id"),
    revision: revision === null ? null : Number(revision),
    answers: answersOf(html),
  };
}

function meta(html: Document, name: string): string | null {
  return html.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || null;
}

function answersOf(html: Document): FirstAnswers | null {
  const json = html.getElementById("first-answers")?.textContent;
  return json ? (JSON.parse(json) as FirstAnswers) : null;
}

function languageOf(value: string | undefined): Language {
  return value === "en" || value === "ja" ? value : "system";
}

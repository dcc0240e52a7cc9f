// The data about the page in the server's HTML, available before any request.
import type { Language, PageMeta, Settings, User } from "../api/backend";

export interface FirstFrame {
  root: HTMLElement;
  language: Language;
  /** The address that the next two fields describe. */
  address: string;
  /** null when no page exists at this address. */
  pageId: string | null;
  revision: number | null;
  /** null if the server sent none: then they are requested. */
  answers: FirstAnswers | null;
}

/**
 * Answers to the first requests of every page: the same as `/api/settings`, `/api/users/me` and a page's `meta` return.
 */
export interface FirstAnswers {
  /** The id of the last event before these answers. */
  since: string;
  settings: Settings;
  /** null if no user is registered yet. */
  user: User | null;
  /** null if there is no page at this address, or it lacks this revision. */
  page: PageMeta | null;
  /** True if the page has unsaved text. */
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

// The reading view of a page.
import Book from "@lucide/svelte/icons/book";
import { pageCrumbs, pairOf, readPath, revisionOf } from "../editing/addresses/page-place";
import { momentOf } from "../editing/moment";
import { defineView, once } from "../view/definition";

export const loadWiki = once(() => import("."));

export const wiki = defineView({
  addresses: ["/wiki/*"],
  title: "wiki.title",
  section: "wiki",
  parse: (url) => {
    const path = readPath(url);
    return path === null || pairOf(url) !== undefined || momentOf(url) !== null ? null : { path, revision: revisionOf(url) };
  },
  visit: ({ path, revision }) => `${revision ?? ""} ${path}`,
  crumbs: ({ path }) => pageCrumbs(path),
  command: { id: "go-wiki", label: "wiki.go", key: "Alt+1", address: "/wiki/" },
  activity: { icon: Book, at: "start" },
  load: loadWiki,
});

/** A page as of a moment, at the addresses of the reading view. */
export const past = defineView({
  addresses: [],
  title: "wiki.title",
  section: "wiki",
  parse: (url) => {
    const path = readPath(url);
    const at = momentOf(url);
    return path === null || at === null || pairOf(url) !== undefined ? null : { path, at };
  },
  visit: ({ path, at }) => `${at} ${path}`,
  crumbs: ({ path }) => pageCrumbs(path),
  load: loadWiki,
});

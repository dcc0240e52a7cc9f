// The views of revisions and of the trash.
import { pageCrumbs, pairOf, readPath } from "../editing/addresses/page-place";
import { defineView, once } from "../view/definition";
import { TRASH_ADDRESS, trashedPagePlace } from "./address";

export const loadHistory = once(() => import("."));

/** At the addresses of the reading view. */
export const history = defineView({
  addresses: [],
  title: "history.label",
  section: "wiki",
  parse: (url) => {
    const path = readPath(url);
    const pair = pairOf(url);
    return path === null || pair === undefined ? null : { path, pair };
  },
  visit: ({ path }) => path,
  crumbs: ({ path }) => pageCrumbs(path),
  load: loadHistory,
});

export const trash = defineView({
  addresses: [TRASH_ADDRESS],
  title: "trash.title",
  section: "wiki",
  parse: (url) => (url.pathname === TRASH_ADDRESS && trashedPagePlace(url) === null ? {} : null),
  command: { id: "go-trash", label: "trash.go", key: "b", address: TRASH_ADDRESS },
  load: loadHistory,
  component: ({ TrashView }) => TrashView,
});

/** A page in the trash: its text in the reading view of pages, or its history. */
export const trashedPage = defineView({
  addresses: [],
  title: "trash.title",
  section: "wiki",
  parse: trashedPagePlace,
  visit: ({ id, revision, pair }) => `${id} ${pair === undefined ? `text ${revision ?? ""}` : "history"}`,
  load: loadHistory,
});

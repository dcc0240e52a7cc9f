// The editor of a page, as a view.
import { pageCrumbs, pathBelow } from "../editing/page-place";
import { defineView, once } from "../view/definition";

export const loadEditor = once(() => import("."));

export const edit = defineView({
  addresses: ["/edit/*"],
  title: "wiki.edit",
  section: "wiki",
  parse: ({ pathname }) => {
    const path = pathBelow(pathname, "/edit");
    return path === null ? null : { path };
  },
  visit: ({ path }) => path,
  crumbs: ({ path }) => pageCrumbs(path),
  load: loadEditor,
});

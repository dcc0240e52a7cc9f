// The editor of a page, as a view.
import { pageCrumbs, pathBelow } from "../editing/page-place";
import { defineView, once } from "../view/definition";

export const loadEditor = once(() => import("."));

export const edit = defineView({
  addresses: ["/edit/*"],
  title: "wiki.edit",
  section: "wiki",
  parse: ({ pathname, searchParams }) => {
    const path = pathBelow(pathname, "/edit");
    return path === null ? null : { path, template: searchParams.get("template") };
  },
  visit: ({ path }) => path,
  crumbs: ({ path }) => pageCrumbs(path),
  load: loadEditor,
});

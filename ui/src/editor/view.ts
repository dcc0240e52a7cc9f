// The editor of a page, as a view.
import { pageCrumbs, pathBelow } from "../editing/addresses/page-place";
import { defineView, once } from "../view/definition";

export const loadEditor = once(() => import("."));

interface EditPlace {
  path: string;
  /** The path of the template that was chosen for a new page. */
  template?: string;
}

export const edit = defineView({
  addresses: ["/edit/*"],
  title: "wiki.edit",
  section: "wiki",
  parse: ({ pathname, searchParams }): EditPlace | null => {
    const path = pathBelow(pathname, "/edit");
    const template = searchParams.get("template");
    return path === null ? null : { path, ...(template !== null && { template }) };
  },
  visit: ({ path }) => path,
  crumbs: ({ path }) => pageCrumbs(path),
  load: loadEditor,
});

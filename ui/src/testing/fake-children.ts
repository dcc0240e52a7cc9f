// One level of the tree of pages, as the server answers it.
import type { ChildPage } from "../api/backend";

interface KnownPage {
  id: string;
  path: string;
  title: string | null;
}

export function childrenOf(pages: readonly KnownPage[], path: string): ChildPage[] {
  const start = path === "/" ? "/" : `${path}/`;
  const below = pages.filter((page) => page.path !== "/" && page.path.startsWith(start));
  const names = [...new Set(below.map((page) => page.path.slice(start.length).split("/")[0] ?? ""))].sort();
  return names.map((name) => {
    const page = below.find((one) => one.path === start + name);
    const pages = below.filter((one) => one.path.startsWith(`${start}${name}/`)).length;
    return { name, path: start + name, page_id: page?.id ?? null, title: page?.title ?? null, pages };
  });
}

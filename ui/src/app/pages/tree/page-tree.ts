// The tree of pages as data: built from the flat list, or from the visible branches until that is read; flattened to the
// visible rows. Only the visible branches are sorted.
import type { ChildPage, PageListItem, TreeSort } from "../../../api/backend";
import type { UnsavedText } from "../unsaved-texts.svelte";
import { lineageOf } from "../../../markdown/links/page-path";

export interface TreeNode {
  /** The last segment of the path. */
  name: string;
  /** The title of the page; the name if it has none. */
  label: string;
  path: string;
  /** The id of the page at this path; null if there are only pages below it. */
  pageId: string | null;
  /** An unsaved text, if no page was ever saved here. */
  unsaved: UnsavedText | null;
  /** The number of pages below. */
  below: number;
  /** The time of the last change, here or below. */
  changed: number;
  children: TreeNode[];
}

export interface TreeRow {
  node: TreeNode;
  /** 1 for the top level, as `aria-level` counts. */
  level: number;
  expanded: boolean;
  /** For `aria-posinset` and `aria-setsize`. */
  position: number;
  siblings: number;
  /** True if a sibling has the same label. */
  isShared: boolean;
}

type Order = (a: TreeNode, b: TreeNode) => number;

/** Returns the order of siblings; the path decides between equals. */
export function orderBy(sort: TreeSort, collator: Intl.Collator): Order {
  const byName: Order = (a, b) => collator.compare(a.name, b.name);
  const byLabel: Order = (a, b) => collator.compare(a.label, b.label) || byName(a, b);
  if (sort === "path") return byName;
  return sort === "title" ? byLabel : (a, b) => b.changed - a.changed || byLabel(a, b);
}

/** True if there are pages below a node, even if they are not loaded. */
export function hasChildren({ children, below }: TreeNode): boolean {
  return children.length > 0 || below > 0;
}

export class PageTree {
  readonly #root = newNode("", "");
  readonly #sorted = new Set<TreeNode>();

  private constructor(private readonly order: Order) {}

  /** The tree of some levels, by the paths above them: the children of "/" are those of the top level. */
  static ofLevels(levels: ReadonlyMap<string, readonly ChildPage[]>, order: Order): PageTree {
    const tree = new PageTree(order);
    const add = (parent: TreeNode, path: string) => {
      for (const { name, path: childPath, title, page_id, pages } of levels.get(path) ?? []) {
        const child = { ...newNode(name, childPath), label: title || name, pageId: page_id ?? null, below: pages };
        parent.children.push(child);
        add(child, childPath);
      }
    };
    add(tree.#root, "/");
    return tree;
  }

  /** The tree of all pages but the root page, and of unsaved new pages. */
  static ofPages(items: readonly PageListItem[], order: Order, unsaved: readonly UnsavedText[] = []): PageTree {
    const tree = new PageTree(order);
    tree.#addPages(items, unsaved);
    return tree;
  }

  #addPages(items: readonly PageListItem[], unsaved: readonly UnsavedText[]): void {
    const byPath = new Map<string, TreeNode>();
    const childOf = (parent: TreeNode, name: string): TreeNode => {
      const path = `${parent.path}/${name}`;
      const existing = byPath.get(path);
      if (existing) return existing;
      const child = newNode(name, path);
      byPath.set(path, child);
      parent.children.push(child);
      return child;
    };
    for (const item of items) {
      const names = segmentsOf(item.path);
      if (item.deleted || names.length === 0) continue;
      const changed = Date.parse(item.last_update.timestamp);
      let node = this.#root;
      for (const name of names) {
        node.below += 1;
        node = childOf(node, name);
        node.changed = Math.max(node.changed, changed);
      }
      node.pageId = item.page_id;
      node.label = item.title || node.name;
    }
    for (const text of unsaved) {
      const node = segmentsOf(text.path).reduce(childOf, this.#root);
      if (node.pageId !== null) continue;
      node.unsaved = text;
      node.label = text.title;
    }
  }

  /** The top level. */
  get top(): readonly TreeNode[] {
    return this.#childrenOf(this.#root);
  }

  /** The visible rows in order: every node whose ancestors are all expanded. */
  rows(expanded: ReadonlySet<string>): TreeRow[] {
    const rows: TreeRow[] = [];
    this.#addRows(this.#root, 1, expanded, rows);
    return rows;
  }

  #addRows(parent: TreeNode, level: number, expanded: ReadonlySet<string>, rows: TreeRow[]): void {
    const nodes = this.#childrenOf(parent);
    const shared = sharedLabels(nodes);
    nodes.forEach((node, index) => {
      const open = hasChildren(node) && expanded.has(node.path);
      rows.push({ node, level, expanded: open, position: index + 1, siblings: nodes.length, isShared: shared.has(node.label) });
      if (open) this.#addRows(node, level + 1, expanded, rows);
    });
  }

  #childrenOf(node: TreeNode): TreeNode[] {
    if (!this.#sorted.has(node)) {
      this.#sorted.add(node);
      node.children.sort(this.order);
    }
    return node.children;
  }
}

/** The paths above this one, which must be expanded to show it. */
export function ancestorsOf(path: string): string[] {
  return lineageOf(path).slice(1, -1);
}

/** The path of a page that is dropped on another; or the reason why it can't be. */
export function dropTarget(from: string, onto: string): { to: string } | { refused: "itself" | "below" | "there" } {
  if (onto === from) return { refused: "itself" };
  if (onto.startsWith(`${from}/`)) return { refused: "below" };
  const to = `${onto === "/" ? "" : onto}${from.slice(from.lastIndexOf("/"))}`;
  return to === from ? { refused: "there" } : { to };
}

/** Returns the labels that several of the nodes share. */
function sharedLabels(nodes: readonly TreeNode[]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { label } of nodes) (seen.has(label) ? shared : seen).add(label);
  return shared;
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function newNode(name: string, path: string): TreeNode {
  return { name, label: name, path, pageId: null, unsaved: null, below: 0, changed: 0, children: [] };
}

interface Named {
  path: string;
  label: string;
}

/**
 * Returns the places of pages that share their name with another, by path: the page above, or the whole path if that is
 * shared too.
 */
export function placesOfDuplicates(pages: readonly Named[]): Map<string, string> {
  const placeOf = ({ path }: Named) => lineageOf(path).at(-2) ?? "/";
  const isShared = (page: Named, isSame: (other: Named) => boolean) => pages.some((other) => other.path !== page.path && other.label === page.label && isSame(other));
  const twins = pages.filter((page) => isShared(page, () => true));
  return new Map(twins.map((page) => [page.path, isShared(page, (other) => placeOf(other) === placeOf(page)) ? page.path : placeOf(page)]));
}

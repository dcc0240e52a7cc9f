// The tree of pages as data: built from the flat list, flattened to the visible rows.
import type { PageListItem } from "../../api/backend";
import type { UnsavedText } from "./unsaved-texts.svelte";
import { lineageOf } from "../../markdown/links/page-path";

export interface TreeNode {
  /** The last segment of the path. */
  name: string;
  /** The title of the page; the name if it has none. */
  label: string;
  path: string;
  /** True if a page exists at this path; false if there are only pages below it. */
  isPage: boolean;
  /** An unsaved text, if no page was ever saved here. */
  unsaved: UnsavedText | null;
  /** The number of pages below. */
  below: number;
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

/** Builds the tree of all pages but the root page, and of unsaved new pages. */
export function buildTree(items: readonly PageListItem[], collator: Intl.Collator, unsaved: readonly UnsavedText[] = []): TreeNode[] {
  const root = newNode("", "");
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
    let node = root;
    for (const name of names) {
      node.below += 1;
      node = childOf(node, name);
    }
    node.isPage = true;
    node.label = item.title || node.name;
  }
  for (const text of unsaved) {
    const node = segmentsOf(text.path).reduce(childOf, root);
    if (node.isPage) continue;
    node.unsaved = text;
    node.label = text.title;
  }
  sortBelow(root, collator);
  return root.children;
}

/** Returns the labels that several of the nodes share. */
function sharedLabels(nodes: readonly TreeNode[]): Set<string> {
  const seen = new Set<string>();
  return new Set(nodes.flatMap(({ label }) => (seen.size === seen.add(label).size ? [label] : [])));
}

/** The visible rows in order: every node whose ancestors are all expanded. */
export function visibleRows(nodes: readonly TreeNode[], expanded: ReadonlySet<string>, level = 1): TreeRow[] {
  const shared = sharedLabels(nodes);
  return nodes.flatMap((node, index) => {
    const open = node.children.length > 0 && expanded.has(node.path);
    const row: TreeRow = { node, level, expanded: open, position: index + 1, siblings: nodes.length, isShared: shared.has(node.label) };
    return open ? [row, ...visibleRows(node.children, expanded, level + 1)] : [row];
  });
}

/** The paths above this one, which must be expanded to show it. */
export function ancestorsOf(path: string): string[] {
  return lineageOf(path).slice(1, -1);
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function newNode(name: string, path: string): TreeNode {
  return { name, label: name, path, isPage: false, unsaved: null, below: 0, children: [] };
}

function sortBelow(node: TreeNode, collator: Intl.Collator): void {
  node.children.sort((a, b) => collator.compare(a.name, b.name));
  for (const child of node.children) sortBelow(child, collator);
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

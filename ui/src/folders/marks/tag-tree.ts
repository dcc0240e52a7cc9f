// Tags as a tree: each level above the tags is a row of its own. Pure.
import type { KnownTag } from "../../api/backend";

export interface TagRow {
  tag: string;
  /** The last level. */
  name: string;
  /** The number of levels above. */
  depth: number;
  /** The number of pictures with exactly this tag; null for a level that is no tag itself. */
  count: number | null;
}

/** Returns the rows of a tree, each level in the order of its language. */
export function tagTree(tags: readonly KnownTag[]): TagRow[] {
  const rows = new Map<string, TagRow>();
  for (const { tag, count } of tags) {
    const levels = tag.split("/");
    levels.forEach((name, depth) => {
      const path = levels.slice(0, depth + 1).join("/");
      const known = rows.get(path) ?? { tag: path, name, depth, count: null };
      rows.set(path, path === tag ? { ...known, count } : known);
    });
  }
  const collator = new Intl.Collator(undefined, { numeric: true });
  return [...rows.values()].toSorted((a, b) => byLevels(a.tag.split("/"), b.tag.split("/"), collator));
}

function byLevels(a: readonly string[], b: readonly string[], collator: Intl.Collator): number {
  for (const [depth, level] of a.entries()) {
    const other = b[depth];
    if (other === undefined) return 1;
    const order = collator.compare(level, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

// The rows of the tree of all tags, and the tags that differ only in case or width. Pure.
import type { KnownTag } from "../../api/backend";
import { formatNumber } from "../../i18n";
import { fold } from "../../i18n/fold";
import type { TreeItem } from "../../widgets";
import { tagTree } from "../marks/tag-tree";

/** Tags of which probably one is meant. */
export interface SimilarTags {
  /** The one with the most pictures. */
  main: string;
  others: string[];
}

/** Returns the tag above; null for one without any. */
export function aboveOf(tag: string): string | null {
  const cut = tag.lastIndexOf("/");
  return cut < 0 ? null : tag.slice(0, cut);
}

/** Returns the rows of the tags that contain a text, with the levels above them. Branches are open, except `collapsed` ones. */
export function tagRows(tags: readonly KnownTag[], typed: string, collapsed: ReadonlySet<string>): TreeItem[] {
  const wanted = fold(typed.trim());
  const found = wanted === "" ? tags : tags.filter(({ tag }) => fold(tag).includes(wanted));
  const all = tagTree(found);
  const below = new Map<string | null, string[]>();
  for (const { tag } of all) below.set(aboveOf(tag), [...(below.get(aboveOf(tag)) ?? []), tag]);
  // A search shows what it finds.
  const isOpen = (tag: string) => wanted !== "" || !collapsed.has(tag);
  const isShown = (tag: string): boolean => {
    const above = aboveOf(tag);
    return above === null || (isOpen(above) && isShown(above));
  };
  return all
    .filter(({ tag }) => isShown(tag))
    .map(({ tag, name, depth, count }) => {
      const siblings = below.get(aboveOf(tag)) ?? [];
      return {
        id: tag,
        label: name,
        isTitle: true,
        level: depth + 1,
        expanded: below.has(tag) ? isOpen(tag) : null,
        position: siblings.indexOf(tag) + 1,
        siblings: siblings.length,
        ...(count === null ? {} : { note: formatNumber(count) }),
      };
    });
}

/** Returns the groups of tags that differ only in case, width or the form of their characters, the widest levels first. */
export function similarTags(tags: readonly KnownTag[]): SimilarTags[] {
  const uses = new Map<string, number>();
  for (const { tag, count } of tags) {
    for (let level: string | null = tag; level !== null; level = aboveOf(level)) uses.set(level, (uses.get(level) ?? 0) + count);
  }
  const groups = new Map<string, string[]>();
  for (const tag of uses.keys()) {
    const key = tag.normalize("NFKC").toLowerCase();
    groups.set(key, [...(groups.get(key) ?? []), tag]);
  }
  const similar = [...groups].filter(([, group]) => group.length > 1);
  const keys = new Set(similar.map(([key]) => key));
  const isInside = (key: string): boolean => {
    const above = aboveOf(key);
    return above !== null && (keys.has(above) || isInside(above));
  };
  return similar
    .filter(([key]) => !isInside(key))
    .map(([, group]) => {
      const [main = "", ...others] = group.toSorted((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0) || (a < b ? -1 : 1));
      return { main, others };
    });
}

/** Returns the query that finds the pictures of a tag and of those below it. */
export function tagQuery(tag: string): string {
  return `tag:"${tag}"`;
}

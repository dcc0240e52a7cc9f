// Turns a mention of a page into a link to it: one revision of the page with the mention. If its text has changed since
// the mention was found, nothing is changed.
import type { Backend } from "../../api/backend";
import type { PageResult } from "../../api/search";
import { bracketed } from "../../editing/files/asset-link";
import { pageAddress } from "../../editing/addresses/page-address";
import { digestOf } from "../../editing/text-digest";

export type Mention = NonNullable<PageResult["mention"]>;

/** Returns a function that takes the link back; null if the words are no longer there. */
export async function linkMention({ pages }: Pick<Backend, "pages">, pageId: string, mention: Mention, to: string): Promise<(() => Promise<void>) | null> {
  const { text, etag, deleted } = await pages.source(pageId);
  const { start, words } = mention;
  if (deleted || !text.startsWith(words, start)) return null;
  const linked = text.slice(0, start) + linkOf(mention, to) + text.slice(start + words.length);
  const saved = await pages.save(pageId, linked, { etag, read: digestOf(etag) });
  return async () => void (await pages.save(pageId, text, { etag: saved.etag, read: digestOf(saved.etag) }));
}

/** A bar would end a cell of a table, and a bracket the link. */
function linkOf({ words, in_table }: Mention, to: string): string {
  const text = words.replace(/\s+/gu, " ");
  if (in_table || /[[\]|]/u.test(text)) return `[${bracketed(text)}](${pageAddress(to, "plain")})`;
  return `[[${pageAddress(to, "wiki")}|${text}]]`;
}

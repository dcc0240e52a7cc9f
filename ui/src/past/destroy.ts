// What goes for good with a page, named before it goes (wiki.md §11.3, §11.5).
import type { Backend } from "../api/backend";
import type { DeletedPage } from "../api/moves";
import { t } from "../i18n";

/** The question's words: the page, how many revisions and files it has, and who goes along. */
export async function whatGoes({ pages, assets }: Backend, page: DeletedPage): Promise<string> {
  const [meta, files] = await Promise.all([pages.meta(page.page_id), assets.list(page.page_id, true)]);
  const scope = meta.page_info.revision_scope;
  const revisions = scope ? scope.latest - scope.oldest + 1 : 0;
  const words = [t("past.destroy_page", { path: page.path }), t("past.destroy_revisions", { count: revisions })];
  if (page.along > 0) words.push(t("past.destroy_along", { count: page.along }));
  if (files.length > 0) words.push(t("past.destroy_files", { count: files.length }));
  words.push(t("past.destroy_last"));
  return words.join("\n");
}

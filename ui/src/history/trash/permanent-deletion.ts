// Lists everything that is deleted permanently with a page, before the deletion (docs/spec/wiki.md, Deleting and
// restoring, Files).
import type { Backend } from "../../api/backend";
import type { DeletedPage } from "../../api/moves";
import { t } from "../../i18n";

/** The greatest number of subpages whose contents are counted. */
const COUNTED = 24;
/** The number of entries of the trash that are searched for them, as unrelated pages may be in between. */
const LOOKED_AT = 1_000;

/** The text of the question: the page, its subpages, and the numbers of their revisions and files. */
export async function permanentLosses(backend: Backend, page: DeletedPage): Promise<string> {
  const [own, subpages] = await Promise.all([holdings(backend, page), deletedWith(backend, page)]);
  const words = [t("trash.destroy_page", { path: page.path })];
  if (subpages === null || subpages.length === 0) {
    words.push(t("trash.destroy_revisions", { count: own.revisions }));
    if (page.along > 0) words.push(t("trash.destroy_subpages", { count: page.along }));
    if (own.files > 0) words.push(t("trash.destroy_files", { count: own.files }));
  } else {
    const all = [own, ...(await Promise.all(subpages.map((one) => holdings(backend, one))))];
    const sum = (count: (one: Holdings) => number) => all.reduce((total, one) => total + count(one), 0);
    const files = sum((one) => one.files);
    words.push(t("trash.destroy_subpages_counted", { count: subpages.length }));
    const revisions = { count: sum((one) => one.revisions) };
    words.push(subpages.length === 1 ? t("trash.destroy_revisions_both", revisions) : t("trash.destroy_revisions_all", revisions));
    if (files > 0) words.push(t("trash.destroy_files_all", { count: files }));
  }
  words.push(t("trash.destroy_last"));
  return words.join("\n");
}

interface Holdings {
  revisions: number;
  files: number;
}

async function holdings({ pages, assets }: Backend, { page_id }: DeletedPage): Promise<Holdings> {
  const [meta, files] = await Promise.all([pages.meta(page_id), assets.list(page_id, true)]);
  const scope = meta.page_info.revision_scope;
  return { revisions: scope ? scope.latest - scope.oldest + 1 : 0, files: files.length };
}

/** The pages deleted along with it; null if there are too many to request individually, or some were not found. */
async function deletedWith({ moves }: Backend, { path, deletion, along, cursor }: DeletedPage): Promise<DeletedPage[] | null> {
  if (along === 0) return [];
  if (along > COUNTED) return null;
  const after = await moves.trash({ after: cursor, limit: LOOKED_AT });
  const subpages = after.filter((page) => page.deletion === deletion && page.path.startsWith(`${path}/`));
  return subpages.length === along ? subpages : null;
}

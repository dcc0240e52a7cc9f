// Duplicating a page, and merging it into another; each offers undo. Loaded on first use.
import { t } from "../../i18n";
import { wikiUrl } from "../../markdown/links/page-path";
import type { App } from "../app.svelte";
import { isRead, type Subject } from "./page-moves";

/** Duplicates a page, and opens the duplicate. */
export async function duplicatePage(app: App, page: Subject): Promise<void> {
  const { moves } = app.backend;
  const { page_id: id, path } = await moves.duplicate(page.id);
  const undo = async () => {
    await moves.remove(id, { recursive: false });
    app.toast(t("duplicate.undone", { path }), { tone: "good" });
    if (isRead(app, { id, path })) await app.router.navigate(wikiUrl(page.path), { replace: true });
  };
  app.toast(t("duplicate.done", { path }), { tone: "good", undo });
  if (isRead(app, page)) await app.router.navigate(wikiUrl(path));
}

/** Merges a page into another one, which is opened in its place. */
export async function mergePage(app: App, page: Subject, into: string): Promise<void> {
  const { moves } = app.backend;
  const merged = await moves.merge(page.id, into);
  const undo = async () => {
    await moves.unmerge(page.id, merged);
    await app.router.navigate(wikiUrl(page.path));
    app.toast(t("merge.undone", { path: page.path }), { tone: "good" });
  };
  app.toast(t("merge.done", { path: page.path, into: merged.path }), { tone: "good", undo });
  if (isRead(app, page)) await app.router.navigate(wikiUrl(merged.path), { replace: true });
}

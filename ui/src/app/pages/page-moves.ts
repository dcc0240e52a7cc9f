// Moving a page and trashing it: a dialog opens if there is something to decide, and a toast offers undo.
import type { RenamedPage } from "../../api/moves";
import { t } from "../../i18n";
import { changesAfterUndo } from "../../history/moving/link-changes";
import { wikiUrl } from "../../markdown/links/page-path";
import type { App } from "../app.svelte";

export interface Subject {
  id: string;
  path: string;
}

/** Handles a moved page: the address follows, and undo is offered. */
export async function followRenamed(app: App, page: Subject, to: string, recursive: boolean, renamed: RenamedPage): Promise<void> {
  const pages = renamed.pages ?? 1;
  const words = pages > 1 ? t("move.moved_many", { to, count: pages - 1 }) : t("move.moved", { to });
  const undo = async () => {
    const back = await app.backend.moves.rename(page.id, { to: page.path, recursive });
    await app.router.navigate(wikiUrl(page.path), { replace: true });
    app.toast(t("move.moved", { to: page.path }), { tone: "good" });
    app.showMovedLinks(changesAfterUndo(back.warnings, { from: page.path, to, warnings: renamed.warnings }));
  };
  app.toast(words, { tone: "good", undo });
  if (isRead(app, page)) await app.router.navigate(wikiUrl(to), { replace: true });
}

/** Moves a page to the trash; if it has subpages, asks first whether to include them. */
export async function beginDelete(app: App, page: Subject): Promise<void> {
  const subpages = await app.backend.moves.countSubpages(page.path);
  if (subpages > 0) app.dialog = { kind: "delete", page, subpages };
  else await deletePage(app, page, false, 0);
}

export async function deletePage(app: App, page: Subject, recursive: boolean, subpages: number): Promise<void> {
  const { moves } = app.backend;
  // Requested before: the parent of a deleted page is unknown.
  const above = await moves.parent(page.id);
  await moves.remove(page.id, { recursive });
  const undo = async () => {
    const links = await moves.restore(page.id, { to: page.path, recursive });
    await app.router.navigate(wikiUrl(page.path));
    app.toast(t("trash.restored", { path: page.path }), { tone: "good" });
    app.showMovedLinks(links);
  };
  const words = recursive ? t("trash.deleted_many", { path: page.path, count: subpages }) : t("trash.deleted", { path: page.path });
  app.toast(words, { undo });
  if (isRead(app, page)) await app.router.navigate(wikiUrl(above));
}

/** True if the page is still open: a user who has moved on is not brought back. */
export function isRead(app: App, page: Subject): boolean {
  const { route } = app.router;
  return route.name === "wiki" && route.place.path === page.path;
}

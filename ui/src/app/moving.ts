// Moving a page and putting it into the bin: asked for by a dialog where there is something to decide, and undone by a toast.
import type { RenamedPage } from "../api/moves";
import { t } from "../i18n";
import { stillChanged } from "../past/link-changes";
import { wikiUrl } from "../markdown/page-path";
import type { App } from "./app.svelte";

export interface Subject {
  id: string;
  path: string;
}

/** The page has moved: its address follows, and the way back is offered. */
export async function followRenamed(app: App, page: Subject, to: string, recursive: boolean, renamed: RenamedPage): Promise<void> {
  const pages = renamed.pages ?? 1;
  const words = pages > 1 ? t("past.moved_many", { to, count: pages - 1 }) : t("past.moved", { to });
  const undo = async () => {
    const back = await app.backend.moves.rename(page.id, { to: page.path, recursive });
    await app.router.navigate(wikiUrl(page.path), { replace: true });
    app.tell(t("past.moved", { to: page.path }), { tone: "good" });
    app.tellLinks(stillChanged(back.warnings, { from: page.path, to, warnings: renamed.warnings }));
  };
  app.tell(words, { tone: "good", undo });
  if (isRead(app, page)) await app.router.navigate(wikiUrl(to), { replace: true });
}

/** Into the bin; where others lie beneath, it is asked first whether they go along. */
export async function beginDelete(app: App, page: Subject): Promise<void> {
  const beneath = await app.backend.moves.beneath(page.path);
  if (beneath > 0) app.dialog = { kind: "delete", page, beneath };
  else await deletePage(app, page, false, 0);
}

export async function deletePage(app: App, page: Subject, recursive: boolean, beneath: number): Promise<void> {
  const { moves } = app.backend;
  // Asked before: nobody knows it of a page that has gone.
  const above = await moves.parent(page.id);
  await moves.remove(page.id, { recursive });
  const undo = async () => {
    const links = await moves.restore(page.id, { to: page.path, recursive });
    await app.router.navigate(wikiUrl(page.path));
    app.tell(t("past.restored", { path: page.path }), { tone: "good" });
    app.tellLinks(links);
  };
  const words = recursive ? t("past.deleted_many", { path: page.path, count: beneath }) : t("past.deleted", { path: page.path });
  app.tell(words, { undo });
  if (isRead(app, page)) await app.router.navigate(wikiUrl(above));
}

/** Whether one is still where the page was: whoever has gone on meanwhile is not fetched back. */
function isRead(app: App, page: Subject): boolean {
  const { route } = app.router;
  return route.room === "wiki" && route.path === page.path;
}

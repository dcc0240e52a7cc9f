// The actions on a page in the trash, from any view: restoring it to its place or another one, or deleting it
// permanently. Subpages that were deleted along with it are treated the same.
import type { Backend } from "../api/backend";
import { hasCode } from "../api/errors";
import type { Host } from "../api/host";
import type { DeletedPage, MovedLink } from "../api/moves";
import { t } from "../i18n";
import { permanentLosses } from "./trash/permanent-deletion";
import { refusalOf } from "./moving/move.svelte";

export interface RestoreOptions {
  backend: Backend;
  host: Host;
  /** The page has left the trash: it is at a path, or deleted permanently (null). */
  ondone: (page: DeletedPage, path: string | null) => Promise<void> | undefined;
}

export class RestoreActions {
  /** The page that needs another path, and the reason why its own is not possible, if that was tried. */
  asking = $state.raw<{ page: DeletedPage; reason: string | null } | null>(null);
  busy = $state(false);

  constructor(private readonly parts: RestoreOptions) {}

  /** Restores a page to its former path; if that is taken, asks for another. */
  async restore(page: DeletedPage): Promise<void> {
    const { host } = this.parts;
    try {
      await this.restoreTo(page, page.path);
    } catch (error) {
      if (!hasCode(error, "path_taken", "invalid_path")) host.toast(host.describe(error), { tone: "bad" });
      else this.asking = { page, reason: refusalOf(error, page.path, (fault) => host.describe(fault)) };
    }
  }

  /** Rejects if it cannot be restored there. */
  async restoreTo(page: DeletedPage, to: string): Promise<void> {
    const { backend, host, ondone } = this.parts;
    const recursive = page.along > 0;
    let links: readonly MovedLink[];
    this.busy = true;
    try {
      links = await backend.moves.restore(page.page_id, { to, recursive });
    } finally {
      this.busy = false;
    }
    const undo = async () => {
      await backend.moves.remove(page.page_id, { recursive });
      host.toast(t("trash.deleted", { path: to }));
    };
    const words = recursive ? t("trash.restored_many", { path: to, count: page.along }) : t("trash.restored", { path: to });
    host.toast(words, { tone: "good", undo });
    // The path dialog closes before another message appears above it.
    this.asking = null;
    await ondone(page, to);
    host.showMovedLinks(links);
  }

  async destroy(page: DeletedPage): Promise<void> {
    const { backend, host, ondone } = this.parts;
    try {
      const message = await permanentLosses(backend, page);
      const title = t("trash.destroy_title");
      if (!(await host.confirm({ title, message, confirm: t("trash.destroy_confirm"), danger: true }))) return;
      await backend.moves.remove(page.page_id, { recursive: page.along > 0, hard: true });
      host.toast(t("trash.destroyed", { path: page.path }));
      await ondone(page, null);
    } catch (error) {
      host.toast(host.describe(error), { tone: "bad" });
    }
  }
}

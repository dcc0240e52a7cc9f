// What can be done with a page in the bin, from wherever it is seen: bring it back, to its place or another one, or let
// it go for good. What lay beneath it and was deleted along with it goes the same way.
import type { Backend } from "../api/backend";
import { hasCode } from "../api/errors";
import type { Host } from "../api/host";
import type { DeletedPage, MovedLink } from "../api/moves";
import { t } from "../i18n";
import { whatGoes } from "./destroy";
import { whyNot } from "./move.svelte";

export interface RestoringParts {
  backend: Backend;
  host: Host;
  /** The page is in the bin no longer: it stands at a path, or is gone for good (null). */
  ondone: (page: DeletedPage, path: string | null) => Promise<void>;
}

export class Restoring {
  /** For which page another path is asked for, and why it can't come back to its own, if that was tried. */
  asking = $state.raw<{ page: DeletedPage; reason: string | null } | null>(null);
  busy = $state(false);

  constructor(private readonly parts: RestoringParts) {}

  /** To where it was; where that is taken, another place is asked for. */
  async restore(page: DeletedPage): Promise<void> {
    const { host } = this.parts;
    try {
      await this.bring(page, page.path);
    } catch (error) {
      if (!hasCode(error, "path_taken", "invalid_path")) host.toast(host.describe(error), { tone: "bad" });
      else this.asking = { page, reason: whyNot(error, page.path, (fault) => host.describe(fault)) };
    }
  }

  /** Rejects when it can't come there. */
  async bring(page: DeletedPage, to: string): Promise<void> {
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
      host.toast(t("past.deleted", { path: to }));
    };
    const words = recursive ? t("past.restored_many", { path: to, count: page.along }) : t("past.restored", { path: to });
    host.toast(words, { tone: "good", undo });
    // What asked for the path goes before something else is told above it.
    this.asking = null;
    await ondone(page, to);
    host.tellLinks(links);
  }

  async destroy(page: DeletedPage): Promise<void> {
    const { backend, host, ondone } = this.parts;
    try {
      const message = await whatGoes(backend, page);
      const title = t("past.destroy_title");
      if (!(await host.confirm({ title, message, confirm: t("past.destroy_confirm"), danger: true }))) return;
      await backend.moves.remove(page.page_id, { recursive: page.along > 0, hard: true });
      host.toast(t("past.destroyed", { path: page.path }));
      await ondone(page, null);
    } catch (error) {
      host.toast(host.describe(error), { tone: "bad" });
    }
  }
}

// Going back to an old text: it becomes a new revision, which can itself be undone (docs/spec/wiki.md, Renames).
import type { Backend } from "../../api/backend";
import type { Host } from "../../api/host";
import { t } from "../../i18n";
import type { MovingPage } from "../moving/move.svelte";

/** Makes the text of `revision` the newest one. Reports it, with an undo. */
export async function rollBack(
  { revisions }: Backend,
  host: Host,
  { id: pageId, path }: MovingPage,
  { revision, latest }: { revision: number; latest: number },
): Promise<void> {
  try {
    const done = await revisions.rollback(pageId, revision);
    if (done.revision === latest) {
      host.toast(t("history.already_same", { revision }));
      return;
    }
    // Undoes this change only: a revision that was saved since is not overwritten unseen.
    const undo = async () => {
      const { items } = await revisions.list(pageId, { limit: 1 });
      const now = items[0]?.revision;
      if (now !== done.revision) {
        host.toast(t("history.undo_refused"), { tone: "warn" });
        return;
      }
      await revisions.rollback(pageId, latest);
      host.toast(t("history.undone"), { tone: "good" });
    };
    host.toast(t("history.restored", { revision, newest: done.revision }), { tone: "good", undo });
    host.showMovedLinks(done.warnings.map((link) => ({ ...link, page: path })));
  } catch (error) {
    host.toast(t("history.restore_failed", { reason: host.describe(error) }), { tone: "bad" });
  }
}

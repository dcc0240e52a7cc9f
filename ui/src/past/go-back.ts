// Going back to an old text: a new revision with it, which can itself be undone (wiki.md §5).
import type { Backend } from "../api/backend";
import type { Host } from "../api/host";
import { t } from "../i18n";

/** Makes the text of `revision` the newest one. Says so, with the way back. */
export async function goBack({ revisions }: Backend, host: Host, pageId: string, revision: number, latest: number): Promise<void> {
  try {
    const done = await revisions.rollback(pageId, revision);
    if (done.revision === latest) {
      host.toast(t("past.same_already", { revision }));
      return;
    }
    const message =
      done.warnings.length === 0
        ? t("past.went_back", { revision, newest: done.revision })
        : t("past.went_back_links", { revision, newest: done.revision, count: done.warnings.length });
    // Undone is what was done: also when somebody has saved since, their text is not overwritten unseen.
    const undo = async () => {
      const { items } = await revisions.list(pageId, { limit: 1 });
      const now = items[0]?.revision;
      if (now !== done.revision) {
        host.toast(t("past.undo_late"), { tone: "warn" });
        return;
      }
      await revisions.rollback(pageId, latest);
      host.toast(t("past.undone"), { tone: "good" });
    };
    host.toast(message, { tone: done.warnings.length === 0 ? "good" : "warn", undo });
  } catch (error) {
    host.toast(t("past.go_back_failed", { reason: host.describe(error) }), { tone: "bad" });
  }
}

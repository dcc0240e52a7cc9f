// The two remedies for a file that is not as recorded: accept it as it is, or restore the recorded contents.
import type { Backend } from "../../api/backend";
import { hasCode } from "../../api/errors";
import type { HashFinding, HashItem, RecordedFile } from "../../api/hashes";
import type { Host } from "../../api/host";

/** The result of a search for a good copy. */
export type RestoreOutcome = "restored" | "no copy" | "declined" | "failed";

export class RecordActions {
  constructor(
    private readonly backend: Pick<Backend, "hashes" | "desktop">,
    private readonly host: Host,
  ) {}

  /** Accepts the file after a confirmation; null if that was declined or failed. */
  async accept(file: RecordedFile): Promise<HashItem | null> {
    const { t } = this.host;
    const confirmed = await this.host.confirm({
      title: t("hashes.accept_title"),
      message: t("hashes.accept_message", { path: file.path }),
      confirm: t("hashes.accept_confirm"),
    });
    if (!confirmed) return null;
    try {
      const item = await this.backend.hashes.accept(file);
      this.host.toast(t("hashes.accepted"), { tone: "good" });
      return item;
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
      return null;
    }
  }

  /** Accepts that a file or folder moved; false if that failed. */
  async acceptMove({ path, path_bytes, to, to_bytes }: HashFinding): Promise<boolean> {
    const { t } = this.host;
    if (to === null) return false;
    try {
      const count = await this.backend.hashes.acceptMove({ path, path_bytes: path_bytes ?? null }, { path: to, path_bytes: to_bytes ?? null });
      this.host.toast(t("hashes.move_accepted", { count }), { tone: "good" });
      return true;
    } catch (error) {
      this.host.toast(this.host.describe(error), { tone: "bad" });
      return false;
    }
  }

  /** Restores the file from a good copy among all known files, and in a folder that the user selects. A missing file is created after a question. */
  async restore(file: RecordedFile, from?: string, create = false): Promise<RestoreOutcome> {
    const { t } = this.host;
    try {
      const { restored_from, kept_as } = await this.backend.hashes.restore(file, from, create);
      const words = kept_as === null ? t("hashes.restored", { from: restored_from }) : t("hashes.restored_kept", { from: restored_from, to: kept_as });
      this.host.toast(words, { tone: "good", duration: null });
      return "restored";
    } catch (error) {
      if (hasCode(error, "no_good_copy")) return "no copy";
      if (!create && hasCode(error, "file_missing")) {
        return (await this.confirmsCreation(file)) ? this.restore(file, from, true) : "declined";
      }
      this.host.toast(this.host.describe(error), { tone: "bad" });
      return "failed";
    }
  }

  private confirmsCreation({ path }: RecordedFile): Promise<boolean> {
    const { t } = this.host;
    return this.host.confirm({
      title: t("hashes.create_title"),
      message: t("hashes.create_message", { path }),
      confirm: t("hashes.restore"),
    });
  }

  /** Asks for the backup folder first; null if none was selected. Desktop window only. */
  async restoreFromFolder(file: RecordedFile): Promise<RestoreOutcome | null> {
    const picked = await this.backend.desktop?.pickFolder("copies");
    return picked ? this.restore(file, picked.grant) : null;
  }
}

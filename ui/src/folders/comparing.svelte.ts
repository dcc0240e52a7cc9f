// Which pictures are looked at beside each other.
import type { FolderEntry } from "../api/backend";
import type { Host } from "../api/host";
import { t } from "../i18n";
import type { Selection } from "./selection.svelte";

const [LEAST, MOST] = [2, 4];

export class Comparing {
  /** None where nothing is compared. */
  entries = $state.raw<readonly FolderEntry[]>([]);

  /** `mayBegin` is asked once it is known what is selected. */
  async begin(selection: Selection, host: Host, mayBegin: () => boolean): Promise<void> {
    const pictures = (await selection.entries()).filter(({ kind }) => kind === "picture");
    if (pictures.length < LEAST || pictures.length > MOST) host.toast(t("folders.compare_which"));
    else if (mayBegin()) this.entries = pictures;
  }

  end(): void {
    this.entries = [];
  }
}

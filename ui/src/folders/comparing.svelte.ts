// Which pictures are looked at beside each other.
import type { FolderEntry, Marks } from "../api/backend";
import type { Host } from "../api/host";
import type { EncodedPath } from "../api/names";
import { t } from "../i18n";
import { markedBy } from "./marks";
import type { Selection } from "./selection.svelte";

const [LEAST, MOST] = [2, 4];

export class Comparing {
  /** None where nothing is compared. */
  entries = $state.raw<readonly FolderEntry[]>([]);
  /** Which of them has the focus: that one is rated. */
  at = $state(0);

  get current(): FolderEntry | null {
    return this.entries[this.at] ?? null;
  }

  /** `mayBegin` is asked once it is known what is selected. */
  async begin(selection: Selection, host: Host, mayBegin: () => boolean): Promise<void> {
    const pictures = (await selection.entries()).filter(({ kind }) => kind === "picture");
    if (pictures.length < LEAST || pictures.length > MOST) host.toast(t("folders.compare_which"));
    else if (mayBegin()) [this.entries, this.at] = [pictures, 0];
  }

  marked(marks: ReadonlyMap<EncodedPath, Marks>): void {
    this.entries = this.entries.map((entry) => markedBy(entry, marks));
  }

  end(): void {
    this.entries = [];
  }
}

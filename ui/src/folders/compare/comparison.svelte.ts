// The pictures that are compared side by side.
import type { FolderEntry, Marks } from "../../api/backend";
import type { Host } from "../../api/host";
import { encodeName, type EncodedPath } from "../../api/names";
import { t } from "../../i18n";
import { withLatest, applyMarks } from "../marks/marks";
import { withNewName } from "../entries/renamed-entry";
import type { Selection } from "../selection/selection.svelte";

const [MIN_PICTURES, MAX_PICTURES] = [2, 4];

export class Comparison {
  /** Empty while nothing is compared. */
  entries = $state.raw<readonly FolderEntry[]>([]);
  /** The index of the picture with the focus, which is rated. */
  at = $state(0);

  get current(): FolderEntry | null {
    return this.entries[this.at] ?? null;
  }

  /** Starts a comparison. `mayStart` is asked once the selection is known. */
  async start(selection: Selection, host: Host, mayStart: () => boolean): Promise<void> {
    const pictures = (await selection.entries()).filter(({ kind, video }) => kind === "picture" && !video);
    if (pictures.length < MIN_PICTURES || pictures.length > MAX_PICTURES) host.toast(t("folders.compare_which"));
    else if (mayStart()) [this.entries, this.at] = [pictures, 0];
  }

  /** Moves the focus to the next picture, if there is one. */
  goOn(): void {
    if (this.at < this.entries.length - 1) this.at += 1;
  }

  marked(marks: ReadonlyMap<EncodedPath, Marks>): void {
    this.entries = this.entries.map((entry) => applyMarks(entry, marks));
  }

  renamed(names: ReadonlyMap<EncodedPath, EncodedPath>): void {
    this.entries = this.entries.map((entry) => withNewName(entry, names));
  }

  /** Removes pictures from the comparison, which ends if only one is left. */
  remove(removed: readonly FolderEntry[]): void {
    const names = new Set(removed.map(encodeName));
    const remaining = this.entries.filter((entry) => !names.has(encodeName(entry)));
    this.entries = remaining.length < MIN_PICTURES ? [] : remaining;
    this.at = Math.max(0, Math.min(this.at, remaining.length - 1));
  }

  /** Updates the compared pictures with newer data. */
  update(current: Iterable<FolderEntry>): void {
    this.entries = withLatest(this.entries, current);
  }

  end(): void {
    this.entries = [];
  }
}

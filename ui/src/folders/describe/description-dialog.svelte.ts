// Descriptions of pictures in a folder: the dialog that asks about one, or starts a job over several.
import ScanText from "@lucide/svelte/icons/scan-text";
import type { Backend, FilePlace, FolderEntry } from "../../api/backend";
import type { Action, Host } from "../../api/host";
import { isNameable } from "../../api/vision";
import { formatNumber, t } from "../../i18n";
import { DescriptionRequest, type DescribeRun, MAX_PICTURES } from "../../vision";
import { type EntrySet, isSamePlace, placeOfEntry } from "../entries/folder-place";
import type { MarkEditor } from "../marks/mark-editor.svelte";
import { applyChange } from "../marks/marks";

export const DESCRIBE_KEY = "d";

interface DescriptionContext {
  /** Returns the current folder. */
  folder: () => FilePlace;
  /** Returns the entries that actions apply to. */
  targets: () => Promise<readonly FolderEntry[]>;
  /** Starts a job. */
  begin: (run: DescribeRun) => Promise<void>;
}

export class DescriptionDialog {
  dialog = $state.raw<{ asking: DescriptionRequest; chosen: EntrySet } | null>(null);

  constructor(
    private readonly backend: Pick<Backend, "vision">,
    private readonly host: Host,
    private readonly context: DescriptionContext,
  ) {}

  menu(): Action[] {
    return [{ id: "describe", label: t("vision.ask"), key: DESCRIBE_KEY, menu: true, icon: ScanText, run: this.ask }];
  }

  readonly ask = async (): Promise<void> => {
    const folder = this.context.folder();
    const targets = await this.context.targets();
    const entries = targets.filter(({ kind, video }) => kind === "picture" && !video);
    if (targets.length > 0 && entries.length === 0) this.host.toast(t("vision.pictures_only"));
    if (entries.length > MAX_PICTURES) this.host.toast(t("vision.too_many", { count: formatNumber(MAX_PICTURES) }), { tone: "warn" });
    else if (entries.length > 0 && isSamePlace(folder, this.context.folder())) this.#open({ folder, entries });
  };

  readonly close = (): void => {
    this.dialog = null;
  };

  /** Adds tags. The user's existing tags stay. */
  async addTags(markEditor: Pick<MarkEditor, "mark">, add: string[]): Promise<void> {
    if (this.dialog === null) return;
    const { asking, chosen } = this.dialog;
    this.dialog = { asking, chosen: { ...chosen, entries: chosen.entries.map((entry) => applyChange(entry, { add })) } };
    await markEditor.mark(chosen, { add });
  }

  /** Saves an answer as the caption of the picture, unless it has one. */
  async saveCaption(markEditor: Pick<MarkEditor, "mark">, caption: string): Promise<void> {
    if (this.dialog === null) return;
    const { asking, chosen } = this.dialog;
    const marked = await markEditor.mark(chosen, { caption, keepsCaption: true });
    // A dialog that was closed meanwhile stays closed.
    if (marked.length > 0 && this.dialog?.asking === asking) this.dialog = { asking, chosen: { ...chosen, entries: marked } };
  }

  #open(chosen: EntrySet): void {
    const places = chosen.entries.map((entry) => placeOfEntry(chosen.folder, entry));
    const [only, ...others] = places;
    const about = only !== undefined && others.length === 0 ? only : (mode: DescribeRun["mode"]) => this.#begin(places, mode);
    this.dialog = { asking: new DescriptionRequest(this.backend.vision, this.host, about), chosen };
  }

  /** Starts a job for each root. It identifies pictures by text, so it omits those whose names are not valid text. */
  async #begin(places: readonly FilePlace[], mode: DescribeRun["mode"]): Promise<void> {
    for (const root of new Set(places.map((place) => place.root))) {
      const all = places.filter((place) => place.root === root).map(({ path }) => path);
      const paths = all.filter(isNameable);
      await this.context.begin({ root, paths, mode, omitted: all.length - paths.length });
    }
  }
}

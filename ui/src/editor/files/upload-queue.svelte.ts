// The upload queue of the edited page: one file at a time, each linked at its place once it is stored. The rest
// of the text stays untouched, so a failed file loses no text.
import type { AddedFile, Backend, GrantedFile } from "../../api/backend";
import type { Host } from "../../api/host";
import { apiError } from "../../api/transport/request";
import type { Place } from "../extensions/upload-placeholders";
import { assetLink, bracketed, emptyPicture, type PageFile } from "../../editing/files/asset-link";
import type { TransferredPicture } from "../../editing/files/picture-transfer";
import { clipboardName } from "./clipboard-name";
import { uploadFree } from "../../editing/files/upload";

/** The editor's interface for writing links. */
export interface UploadTarget {
  hold: (at: number) => Place;
  cursor: () => number;
  /** Inserts between two adjacent texts; false if they do not occur. */
  writeBetween: (before: string, after: string, text: string) => boolean;
  /** Resolves when no input method is composing, so that an insertion disturbs nothing. */
  quiet: () => Promise<void>;
}

/** A pending item, and the files that result from it. */
interface PendingUpload {
  label: string;
  upload: () => Promise<UploadOutcome[]>;
  /** True if it can be retried. */
  canRetry: boolean;
}

type UploadOutcome = PageFile | { name: string; error: unknown };

export interface UploadQueueOptions {
  backend: Pick<Backend, "assets" | "desktop">;
  host: Host;
  /** The page or draft when a file is uploaded. */
  pageId: () => string;
  /** Called when a file was added to it. */
  onAdded: (name: string) => void;
  /** Called when pictures were linked without an alternative text. */
  onPictures: (names: readonly string[]) => void;
}

export class UploadQueue {
  /** The pending file. */
  now = $state.raw<{ label: string; left: number } | null>(null);
  readonly #parts: UploadQueueOptions;
  #target: UploadTarget | null = null;
  #queue: Promise<void> = Promise.resolve();
  #left = 0;
  #isAbandoned = false;

  constructor(parts: UploadQueueOptions) {
    this.#parts = parts;
  }

  /** Sets the editor that links are written to, or removes it. */
  setTarget(target: UploadTarget | null): void {
    this.#target = target;
  }

  /** Abandons the text: files that arrive later are neither linked nor reported. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** Resolves when nothing is pending. */
  async settled(): Promise<void> {
    while (this.#left > 0) await this.#queue;
  }

  /** Writes the alternative text of a picture; false if the text has no such picture without one. */
  async describe(name: string, alt: string): Promise<boolean> {
    await this.#target?.quiet();
    return this.#target?.writeBetween(...emptyPicture(name), bracketed(alt)) ?? false;
  }

  /** Adds files from the browser. */
  files(files: readonly File[], at: number): void {
    const { backend, pageId, host } = this.#parts;
    this.#begin(
      at,
      files.map((file) => {
        const label = clipboardName(file, host.t("editor.picture_name"));
        const upload = async () => {
          const name = await uploadFree(backend.assets, pageId(), label, file);
          return [{ name, isPicture: file.type.startsWith("image/") }];
        };
        return { label, upload, canRetry: true };
      }),
    );
  }

  /** Adds files that were dropped on the window, or chosen in its dialog. A grant is valid for one attempt. */
  granted(files: readonly GrantedFile[], at: number): void {
    const { backend, pageId } = this.#parts;
    this.#begin(
      at,
      files.map(({ grant, name }) => ({
        label: name,
        upload: async () => (await backend.assets.addFiles(pageId(), [grant], true)).map(outcomeOf),
        canRetry: false,
      })),
    );
  }

  /** Adds pictures of open folders. */
  pictures(pictures: readonly TransferredPicture[], at: number, lead = ""): void {
    const { backend, pageId } = this.#parts;
    this.#begin(
      at,
      pictures.map((picture) => ({
        label: picture.name,
        upload: async () => (await backend.assets.addFromFiles(pageId(), [picture])).map(outcomeOf),
        canRetry: true,
      })),
      lead,
    );
  }

  /** Adds the contents of the window's clipboard besides text. */
  clipboard(at: number): void {
    const { backend, host, pageId } = this.#parts;
    const stem = clipboardName(null, host.t("editor.picture_name"));
    const upload = async () => (await backend.desktop?.pasteFiles(pageId(), stem))?.map(outcomeOf) ?? [];
    this.#begin(at, [{ label: host.t("editor.bring_clipboard"), upload, canRetry: true }]);
  }

  /** `lead` is inserted before the first link, if there is one. */
  #begin(at: number, uploads: readonly PendingUpload[], lead = ""): void {
    const place = this.#target?.hold(at);
    const [first] = uploads;
    if (place === undefined || first === undefined) return;
    this.#left += uploads.length;
    this.now ??= { label: first.label, left: this.#left };
    place.setLabel(this.#parts.host.t("editor.bringing", { name: first.label }));
    const run = () => this.#run(place, uploads, lead);
    this.#queue = this.#queue.then(run);
  }

  async #run(place: Place, uploads: readonly PendingUpload[], lead: string): Promise<void> {
    const { t } = this.#parts.host;
    const pictures: string[] = [];
    let written = false;
    for (const upload of uploads) {
      this.now = { label: upload.label, left: this.#left };
      place.setLabel(t("editor.bringing", { name: upload.label }));
      for (const file of await this.#upload(upload)) {
        if ("error" in file) {
          this.#report(file, upload);
          continue;
        }
        this.#parts.onAdded(file.name);
        const isWritten = await this.#write(place, file, written ? "\n" : lead);
        if (isWritten && file.isPicture) pictures.push(file.name);
        written ||= isWritten;
      }
      this.#left -= 1;
    }
    place.end();
    if (this.#left === 0) this.now = null;
    if (pictures.length > 0) this.#parts.onPictures(pictures);
  }

  async #upload(upload: PendingUpload): Promise<UploadOutcome[]> {
    try {
      return await upload.upload();
    } catch (error) {
      return [{ name: upload.label, error }];
    }
  }

  /** Inserts a link; several files are on a line each. */
  async #write(place: Place, file: PageFile, before: string): Promise<boolean> {
    await this.#target?.quiet();
    if (this.#target === null) {
      const { host } = this.#parts;
      if (this.#isAbandoned) return false;
      host.toast(host.t("editor.bring_unlinked", { name: file.name }), { tone: "warn" });
      return false;
    }
    place.write(before + assetLink(file));
    return true;
  }

  #report({ name, error }: { name: string; error: unknown }, upload: PendingUpload): void {
    const { host } = this.#parts;
    const retry = () => this.#begin(this.#target?.cursor() ?? 0, [upload]);
    host.toast(host.t("editor.bring_failed", { name, reason: host.describe(error) }), {
      tone: "bad",
      duration: null,
      ...(upload.canRetry && { action: { label: host.t("common.retry"), run: retry } }),
    });
  }
}

function outcomeOf({ name, asset, error }: AddedFile): UploadOutcome {
  if (asset !== null) return { name: asset.file_name, isPicture: asset.mime.startsWith("image/") };
  return { name, error: error === null ? new Error("BUG: a file has neither an asset nor an error") : apiError(error, 0) };
}

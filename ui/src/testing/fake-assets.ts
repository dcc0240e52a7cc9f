// The files of pages in memory, with the server's rules for their names.
import type { AddedFile, Asset } from "../api/backend";
import { encodePathFields, lastSegment, readableSegment } from "../api/names";
import type { components } from "../api/schema";
import { fail, partOf, Server } from "./server";

/** `a.png`, or the first of `a-2.png`, `a-3.png`, … that is not taken. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = wanted.replace(/(?=\.\w+$|$)/, `-${number}`);
  return name;
}

/** The name of a file of a root. */
export function lastName({ path, path_bytes }: components["schemas"]["FilePlace"]): string {
  return readableSegment(lastSegment(encodePathFields(path ?? "", path_bytes)));
}

/** A file as the server describes it; by default a live one of the page "P1". */
export function fakeAsset(fileName: string, more: Partial<Asset> = {}): Asset {
  return {
    id: `asset of ${fileName}`,
    page_id: "P1",
    file_name: fileName,
    original_name: fileName,
    mime: fileName.endsWith(".png") ? "image/png" : "application/pdf",
    size: 28_400,
    sha256: "",
    created_at: "2026-11-01T00:00:00Z",
    user_name: "Aya",
    state: "live",
    ...more,
  };
}

export class FakeAssets extends Server {
  readonly items: Asset[] = [];
  /** The outcomes of files that the user chose, by their grants. */
  readonly granted = new Map<string, () => AddedFile>();
  /** The revision that a rename makes; null if the text does not name the file. */
  renamedRevision: number | null = null;

  constructor() {
    super();
    this.on("GET /api/pages/{page_id}/assets", ({ path, query }) =>
      this.items.filter(({ page_id, state }) => page_id === path.page_id && (query.with_deleted === "true" || state === "live")),
    );
    this.on("POST /api/pages/{page_id}/assets/{file_name}", ({ path, body }) =>
      this.#addFree(path.page_id, path.file_name, { size: (body as Blob).size }),
    );
    this.on("POST /api/pages/{page_id}/assets", ({ path, body }) => {
      if ("grants" in body && body.grants) return body.grants.flatMap((grant) => this.granted.get(grant)?.() ?? []);
      return (body.items ?? []).map((item) => {
        const name = lastName(item);
        return { name, asset: this.#addFree(path.page_id, name, { mime: "image/jpeg" }), error: null };
      });
    });
    const rename = (id: string, name: string) => {
      this.#refuseTaken(this.#one(id).page_id ?? "", name);
      return this.#change(id, { file_name: name });
    };
    this.on("PATCH /api/assets/{asset_id}", ({ path, body }) => rename(path.asset_id, body.file_name));
    this.on("POST /api/assets/{asset_id}/rename", ({ path, body }) => ({ asset: rename(path.asset_id, body.file_name), revision: this.renamedRevision }));
    this.on("DELETE /api/assets/{asset_id}", ({ path, query }) => {
      if (query.hard === "true") this.items.splice(this.items.indexOf(this.#one(path.asset_id)), 1);
      else this.#change(path.asset_id, { state: "deleted", deleted_at: "2026-11-02T00:00:00Z" });
    });
    this.on("POST /api/assets/{asset_id}/restore", ({ path }) => {
      const { page_id, file_name } = this.#one(path.asset_id);
      this.#refuseTaken(page_id ?? "", file_name);
      this.#change(path.asset_id, { state: "live" });
    });
    this.on("GET /api/assets/zombies", ({ query }) => partOf(this.items.filter(({ state }) => state === "zombie"), { limit: "Infinity", ...query }));
    this.on("POST /api/assets/{asset_id}/owner", ({ path, query }) => void this.#change(path.asset_id, { page_id: query.page_id ?? "", state: "live" }));
  }

  add(fileName: string, more: Partial<Asset> = {}): Asset {
    const asset = fakeAsset(fileName, { id: `A${this.items.length + 1}`, ...more });
    this.items.push(asset);
    return asset;
  }

  /** Sends the event that the server would send. */
  emitAdded(asset: Asset): void {
    this.emit("asset.changed", { page_id: asset.page_id ?? null, asset_id: asset.id, kind: "added" });
  }

  #addFree(page_id: string, original_name: string, more: Partial<Asset>): Asset {
    return this.add(freeName(original_name, (candidate) => this.#isTaken(page_id, candidate)), { page_id, original_name, ...more });
  }

  #one(id: string): Asset {
    return this.items.find((one) => one.id === id) ?? fail("asset_not_found");
  }

  #change(id: string, changes: Partial<Asset>): Asset {
    const changed = { ...this.#one(id), ...changes };
    this.items.splice(this.items.indexOf(this.#one(id)), 1, changed);
    return changed;
  }

  #isTaken(pageId: string, fileName: string): boolean {
    return this.items.some((one) => one.page_id === pageId && one.file_name === fileName && one.state === "live");
  }

  #refuseTaken(pageId: string, fileName: string): void {
    if (this.#isTaken(pageId, fileName)) fail("file_name_taken");
  }
}

// The files of pages in memory, with the server's rules for their names.
import { vi } from "vitest";
import type { AddedFile, Asset, AssetsApi, FilePlace } from "../api/backend";
import { ApiError } from "../api/errors";
import type { ApiEvents, EventMap, EventName } from "../api/events";
import { readableSegment } from "../api/names";

/** `a.png`, or the first of `a-2.png`, `a-3.png`, … that is not taken. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = wanted.replace(/(?=\.\w+$|$)/, `-${number}`);
  return name;
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

export class FakeAssets implements AssetsApi {
  readonly items: Asset[] = [];
  /** While set, every call fails with it. */
  fault: ApiError | null = null;
  readonly #handlers = new Set<(change: EventMap["asset.changed"]) => void>();

  readonly events: ApiEvents = {
    on: (name: EventName, handler: (data: never) => void) => {
      if (name === "asset.changed") this.#handlers.add(handler as (change: EventMap["asset.changed"]) => void);
      return () => this.#handlers.delete(handler as (change: EventMap["asset.changed"]) => void);
    },
    onConnection: () => () => {},
  };

  add(fileName: string, more: Partial<Asset> = {}): Asset {
    const asset = fakeAsset(fileName, { id: `A${this.items.length + 1}`, ...more });
    this.items.push(asset);
    return asset;
  }

  /** Sends the event that the server would send. */
  emit(asset: Asset): void {
    for (const handler of this.#handlers) handler({ page_id: asset.page_id ?? null, asset_id: asset.id, kind: "added" });
  }

  list = vi.fn((pageId: string, withDeleted = false) =>
    this.#answer(() => this.items.filter((one) => one.page_id === pageId && (withDeleted || one.state === "live"))),
  );
  upload = vi.fn((pageId: string, fileName: string, contents: Blob) =>
    this.#answer(() => {
      const name = freeName(fileName, (candidate) => this.#isTaken(pageId, candidate));
      this.add(name, { page_id: pageId, size: contents.size, original_name: fileName });
      return name;
    }),
  );
  addFromFiles = vi.fn((pageId: string, items: readonly FilePlace[]) =>
    this.#answer(() =>
      items.map(({ path }) => {
        const name = readableSegment(path.slice(path.lastIndexOf("/") + 1));
        const free = freeName(name, (candidate) => this.#isTaken(pageId, candidate));
        const asset = this.add(free, { page_id: pageId, original_name: name, mime: "image/jpeg" });
        return { name, asset, error: null };
      }),
    ),
  );
  /** The outcomes of files that the user chose, by their grants. */
  readonly granted = new Map<string, () => AddedFile>();
  addFiles = vi.fn((_pageId: string, grants: readonly string[]) =>
    this.#answer(() => grants.flatMap((grant) => this.granted.get(grant)?.() ?? [])),
  );
  rename = vi.fn((id: string, fileName: string) =>
    this.#answer(() => {
      this.#refuseTaken(this.#one(id).page_id ?? "", fileName);
      return this.#change(id, { file_name: fileName });
    }),
  );
  remove = vi.fn((id: string, hard = false) =>
    this.#answer(() => {
      if (hard) this.items.splice(this.items.indexOf(this.#one(id)), 1);
      else this.#change(id, { state: "deleted", deleted_at: "2026-11-02T00:00:00Z" });
    }),
  );
  restore = vi.fn((id: string) =>
    this.#answer(() => {
      const { page_id, file_name } = this.#one(id);
      this.#refuseTaken(page_id ?? "", file_name);
      this.#change(id, { state: "live" });
    }),
  );
  orphans = vi.fn(({ offset, limit }: { offset: number; limit: number } = { offset: 0, limit: Infinity }) =>
    this.#answer(() => this.items.filter(({ state }) => state === "zombie").slice(offset, offset + limit)),
  );
  setOwner = vi.fn((id: string, pageId: string) =>
    this.#answer(() => void this.#change(id, { page_id: pageId, state: "live" })),
  );
  contentsUrl = (id: string): string => `/contents/${id}`;
  thumbUrl = (id: string): string => `/thumb/${id}`;

  #one(id: string): Asset {
    const asset = this.items.find((one) => one.id === id);
    if (asset === undefined) throw new ApiError("asset_not_found", 404, "");
    return asset;
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
    if (this.#isTaken(pageId, fileName)) throw new ApiError("file_name_taken", 409, "");
  }

  async #answer<T>(value: () => T): Promise<T> {
    await Promise.resolve();
    if (this.fault) throw this.fault;
    return value();
  }
}

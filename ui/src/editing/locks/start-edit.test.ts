import { beforeEach, expect, it, vi } from "vitest";
import type { LocksApi } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { LockTokens } from "./lock-tokens";
import { startEdit } from "./start-edit";

const LOCK = { token: "01ARZ3NDEKTSV4RRFFQ69G5FAV", expire: "2026-11-20T10:00:00Z" };

function backend(acquire: LocksApi["acquire"]) {
  const release = vi.fn<LocksApi["release"]>(() => Promise.resolve());
  return { locks: { acquire: vi.fn(acquire), release } as unknown as LocksApi, release };
}

const start = (isLeft = false) => ({ pageId: "page", tabId: Promise.resolve("tab"), takeOver: false, isLeft: () => isLeft });

beforeEach(() => sessionStorage.clear());

it("keeps the token for this tab and page", async () => {
  const { locks, release } = backend(() => Promise.resolve(LOCK));
  expect(await startEdit({ locks }, start())).toBe(true);
  expect(new LockTokens("tab").read("page")).toEqual(LOCK);
  expect(release).not.toHaveBeenCalled();
});

it("takes no lock while another user edits", async () => {
  const refused = new ApiError("locked", 409, "locked", { userName: "Ben" });
  await expect(startEdit(backend(() => Promise.reject(refused)), start())).rejects.toBe(refused);
  expect(sessionStorage).toHaveLength(0);
});

it("releases a lock that arrives after leaving", async () => {
  const { locks, release } = backend(() => Promise.resolve(LOCK));
  expect(await startEdit({ locks }, start(true))).toBe(false);
  expect(release).toHaveBeenCalledExactlyOnceWith("page", LOCK.token);
  expect(sessionStorage).toHaveLength(0);
});

import { beforeEach, expect, it, vi } from "vitest";
import type { LocksApi } from "../api/backend";
import { ApiError } from "../api/errors";
import { LockTokens } from "../editing/lock-tokens";
import { startEdit } from "./start-edit";

const LOCK = { token: "01ARZ3NDEKTSV4RRFFQ69G5FAV", expire: "2026-11-20T10:00:00Z" };
const locks = (acquire: LocksApi["acquire"]) => ({ locks: { acquire: vi.fn(acquire) } as unknown as LocksApi });

beforeEach(() => sessionStorage.clear());

it("keeps the token for this tab and page", async () => {
  await startEdit(locks(() => Promise.resolve(LOCK)), "page", Promise.resolve("tab"));
  expect(new LockTokens("tab").read("page")).toEqual(LOCK);
});

it("keeps nothing when somebody else has the page, and says so", async () => {
  const refused = new ApiError("locked", 409, "locked", { userName: "Ben" });
  await expect(startEdit(locks(() => Promise.reject(refused)), "page", Promise.resolve("tab"))).rejects.toBe(refused);
  expect(sessionStorage).toHaveLength(0);
});

import { expect, it, vi } from "vitest";
import type { AutosaveEntry } from "../api/backend";
import { ApiError } from "../api/errors";
import { offersOf } from "./autosave-offers";

const entry = (changes: Partial<AutosaveEntry>): AutosaveEntry => ({
  id: "entry",
  page_id: "page",
  tab: "tab",
  path: "/p",
  base_revision: 1,
  size: 7,
  beginning: "unsaved",
  source: "unsaved",
  seq: 7,
  updated_at: "2026-11-20T09:00:00Z",
  page_exists: true,
  ...changes,
});

const autosave = (text: string) => ({ read: vi.fn((id: string) => Promise.resolve(entry({ id, source: text }))) });

it("offers differing entries, newest first", async () => {
  const old = entry({ id: "old" });
  const recent = entry({ id: "recent", updated_at: "2026-11-20T10:00:00Z" });
  const entries = [old, entry({ source: "saved" }), entry({ source: " \n" }), recent];
  const requested = autosave("");
  expect(await offersOf(requested, entries, "saved")).toEqual([recent, old]);
  expect(requested.read).not.toHaveBeenCalled();
});

it("requests a text that the list omits", async () => {
  const long = entry({ id: "long", source: null });
  expect(await offersOf(autosave("a long text"), [long], "saved")).toEqual([{ ...long, source: "a long text" }]);
  expect(await offersOf(autosave("saved"), [long], "saved")).toEqual([]);
});

it("omits a long text deleted since the list", async () => {
  const entries = [entry({ id: "long", source: null }), entry({ id: "short" })];
  const read = (id: string) => Promise.reject(new ApiError(id === "long" ? "not_found" : "internal", 404, ""));
  expect((await offersOf({ read }, entries, "saved")).map(({ id }) => id)).toEqual(["short"]);
  const failing = { read: () => Promise.reject(new ApiError("internal", 500, "")) };
  await expect(offersOf(failing, entries, "saved")).rejects.toThrow();
});

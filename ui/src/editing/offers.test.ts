import { expect, it } from "vitest";
import type { JournalEntry } from "../api/backend";
import { offersOf } from "./offers";

const entry = (changes: Partial<JournalEntry>): JournalEntry => ({
  id: "entry",
  page_id: "page",
  tab: "tab",
  path: "/p",
  base_revision: 1,
  source: "unsaved",
  seq: 7,
  updated_at: "2026-11-20T09:00:00Z",
  page_exists: true,
  ...changes,
});

it("offers what differs from the page, newest first", () => {
  const old = entry({ id: "old" });
  const recent = entry({ id: "recent", updated_at: "2026-11-20T10:00:00Z" });
  const entries = [old, entry({ source: "saved" }), entry({ source: " \n" }), recent];
  expect(offersOf(entries, "saved")).toEqual([recent, old]);
});

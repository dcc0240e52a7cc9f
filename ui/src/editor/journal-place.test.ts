import { expect, it } from "vitest";
import type { JournalEntry } from "../api/backend";
import { journalPlace } from "./journal-place";

const entry = (changes: Partial<JournalEntry>): JournalEntry => ({
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

it("goes on where this tab left off", () => {
  expect(journalPlace([entry({ source: "saved" })], [], "page", "tab", () => "new")).toEqual({ tab: "tab", seq: 7 });
  expect(journalPlace([], [], "page", "tab", () => "new")).toEqual({ tab: "tab", seq: 0 });
});

it("never writes over what is on offer", () => {
  const offer = entry({});
  expect(journalPlace([offer], [offer], "page", "tab", () => "new")).toEqual({ tab: "new", seq: 0 });
});

it("does not mind offers of other tabs and of drafts that are gone", () => {
  const others = [entry({ tab: "other" }), entry({ page_id: "gone" })];
  expect(journalPlace(others, others, "page", "tab", () => "new")).toEqual({ tab: "tab", seq: 0 });
});

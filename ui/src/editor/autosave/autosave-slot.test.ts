import { expect, it } from "vitest";
import type { AutosaveEntry } from "../../api/backend";
import { autosaveSlot } from "./autosave-slot";

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

it("resumes this tab's entry", () => {
  expect(autosaveSlot([entry({ source: "saved" })], [], "page", "tab", () => "new")).toEqual({ tab: "tab", seq: 7 });
  expect(autosaveSlot([], [], "page", "tab", () => "new")).toEqual({ tab: "tab", seq: 0 });
});

it("never overwrites an offered entry", () => {
  const offer = entry({});
  expect(autosaveSlot([offer], [offer], "page", "tab", () => "new")).toEqual({ tab: "new", seq: 0 });
});

it("ignores entries of other tabs and deleted drafts", () => {
  const others = [entry({ tab: "other" }), entry({ page_id: "gone" })];
  expect(autosaveSlot(others, others, "page", "tab", () => "new")).toEqual({ tab: "tab", seq: 0 });
});

import { expect, it } from "vitest";
import { t } from "../i18n";
import { footOf } from "./foot";

type Facts = Parameters<typeof footOf>[0];

const SAVED: Facts = {
  saving: { kind: "idle" },
  journal: { kind: "kept" },
  lock: { kind: "held", expire: 0 },
  dirty: false,
  base: { text: "", revision: 1, version: "1.0", author: "Aya" },
  length: 0,
};

it.each<[string, Partial<Facts>, string, string]>([
  ["as saved", {}, "Saved", "good"],
  ["a new page", { base: null }, "Nothing written yet", "plain"],
  ["changed", { dirty: true }, "Not saved yet · a copy is kept", "warn"],
  ["just changed", { dirty: true, journal: { kind: "pending" } }, "Not saved yet · keeping a copy…", "busy"],
  ["no copy", { dirty: true, journal: { kind: "failed", error: null } }, "Not saved, and no copy could be kept", "bad"],
  ["saving", { dirty: true, saving: { kind: "saving" } }, "Saving…", "busy"],
  ["failed", { dirty: true, saving: { kind: "failed", error: null, own: null } }, "Not saved", "bad"],
])("%s", (_name, facts, text, tone) => {
  const [state] = footOf({ ...SAVED, ...facts }, null, t);
  expect(state).toMatchObject({ text, tone, live: true, testId: "save-state" });
});

it.each<[Facts["lock"], string | undefined]>([
  [{ kind: "held", expire: 0 }, "good"],
  [{ kind: "unsure", expire: 0, error: null }, "warn"],
  [{ kind: "lost", error: null }, "bad"],
  [{ kind: "ended" }, undefined],
])("tells of the lock: %j", (lock, tone) => {
  expect(footOf({ ...SAVED, lock }, null, t).find(({ id }) => id === "lock")?.tone).toBe(tone);
});

import { expect, it } from "vitest";
import { ApiError } from "../../api/errors";
import { formatTime, t } from "../../i18n";
import { saveStatus } from "./save-status";

type Facts = Parameters<typeof saveStatus>[0];

const SAVED: Facts = {
  saving: { kind: "idle" },
  autosave: { kind: "saved" },
  lock: { kind: "held", expire: 0 },
  connected: true,
  dirty: false,
  base: { text: "", revision: 1, version: "1.0", digest: "", author: "Aya" },
  length: 0,
};

it.each<[string, Partial<Facts>, string, string]>([
  ["as saved", {}, "Saved", "good"],
  ["a new page", { base: null }, "Nothing written yet", "plain"],
  ["changed", { dirty: true }, "Not saved · draft kept", "warn"],
  ["just changed", { dirty: true, autosave: { kind: "pending" } }, "Not saved · saving draft…", "busy"],
  ["no copy", { dirty: true, autosave: { kind: "failed", error: null } }, "Not saved · draft not kept", "bad"],
  ["saving", { dirty: true, saving: { kind: "saving" } }, "Saving…", "busy"],
  ["failed", { dirty: true, saving: { kind: "failed", error: null, own: null } }, "Not saved", "bad"],
])("%s", (_name, facts, text, tone) => {
  const [state] = saveStatus({ ...SAVED, ...facts }, null, t);
  expect(state).toMatchObject({ text, tone, live: true, testId: "save-state" });
});

it("counts the written characters", () => {
  const ids = (facts: Partial<Facts>) => saveStatus({ ...SAVED, length: 10, ...facts }, null, t).map(({ id }) => id);
  expect(ids({ base: null })).not.toContain("characters");
  expect(ids({ base: null, dirty: true })).toContain("characters");
  expect(ids({})).toContain("characters");
});

it("describes the text's state in whole sentences", () => {
  const [item] = saveStatus({ ...SAVED, dirty: true }, null, t);
  expect(item?.title).toBe("Your text is still here, and a draft is kept.");
  const [unkept] = saveStatus({ ...SAVED, dirty: true, autosave: { kind: "failed", error: null } }, null, t);
  expect(unkept?.title).toContain("Don’t close the window");
  for (const facts of [SAVED, { ...SAVED, dirty: true, autosave: { kind: "pending" } } as const]) {
    expect(saveStatus(facts, null, t)[0]?.title).toBeUndefined();
  }
});

it("promises no lock while renewals fail", () => {
  const disconnected: Partial<Facts>[] = [{ connected: false }, { dirty: true, autosave: { kind: "failed", error: new ApiError("unreachable", 0, "") } }];
  for (const facts of disconnected) {
    const lock = { kind: "held", expire: Date.parse("2026-11-20T09:05:00Z") } as const;
    expect(saveStatus({ ...SAVED, ...facts, lock }, null, t).find(({ id }) => id === "lock")).toMatchObject({
      text: `Yours until ${formatTime("2026-11-20T09:05:00Z")}`,
      tone: "warn",
    });
  }
});

it.each<[Facts["lock"], string | undefined]>([
  [{ kind: "held", expire: 0 }, "good"],
  [{ kind: "unsure", expire: 0, error: null }, "warn"],
  [{ kind: "lost", error: null }, "bad"],
  [{ kind: "ended" }, undefined],
])("tells of the lock: %j", (lock, tone) => {
  expect(saveStatus({ ...SAVED, lock }, null, t).find(({ id }) => id === "lock")?.tone).toBe(tone);
});

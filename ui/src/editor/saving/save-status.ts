// The state of saving in the status bar.
import type { StatusItem, Tone } from "../../api/host";
import { hasCode } from "../../api/errors";
import { formatTime, type Translate } from "../../i18n";
import type { EditSession } from "../session/edit-session.svelte";
import type { UploadQueue } from "../files/upload-queue.svelte";
import { safety } from "./save-advice";

type Facts = Pick<EditSession, "saving" | "autosave" | "lock" | "connected" | "dirty" | "base" | "length">;

export function saveStatus(session: Facts, coming: UploadQueue["now"], t: Translate): StatusItem[] {
  const [text, tone] = saveState(session, t);
  // The words are short, so that none is cut off in a narrow window; full sentences are in the tooltip.
  const hint = session.dirty && session.autosave.kind !== "pending" ? { title: t(safety(session.autosave)) } : {};
  return [
    { id: "save-state", text, tone, ...hint, live: true, testId: "save-state" },
    ...(coming === null ? [] : [fileState(coming, t)]),
    // The initial heading of a new page does not count as written.
    ...(isUnwritten(session) ? [] : [{ id: "characters", text: t("editor.characters", { count: session.length }) }]),
    ...lockState(session, t),
  ];
}

function fileState({ label, left }: NonNullable<UploadQueue["now"]>, t: Translate): StatusItem {
  const text = left === 1 ? t("editor.bringing", { name: label }) : t("editor.bringing_many", { name: label, count: left });
  return { id: "bringing", text, tone: "busy", live: true, testId: "bringing" };
}

function saveState({ saving, autosave, dirty, base }: Facts, t: Translate): [string, Tone] {
  if (saving.kind === "saving") return [t("editor.state_saving"), "busy"];
  if (autosave.kind === "failed") return [t("editor.state_unkept"), "bad"];
  if (saving.kind === "failed") return [t("editor.state_failed"), "bad"];
  if (!dirty) return isUnwritten({ dirty, base }) ? [t("editor.state_new"), "plain"] : [t("editor.state_saved"), "good"];
  return autosave.kind === "saved" ? [t("editor.state_unsaved"), "warn"] : [t("editor.state_keeping"), "busy"];
}

function isUnwritten({ dirty, base }: Pick<Facts, "dirty" | "base">): boolean {
  return !dirty && base === null;
}

/** True if the lock could not be renewed just now. */
function isDisconnected({ connected, autosave }: Facts): boolean {
  return !connected || (autosave.kind === "failed" && hasCode(autosave.error, "unreachable"));
}

function lockState(facts: Facts, t: Translate): StatusItem[] {
  const { lock } = facts;
  const at = { id: "lock", side: "right", testId: "lock-state" } as const;
  switch (lock.kind) {
    case "held":
      if (isDisconnected(facts)) {
        const until = formatTime(new Date(lock.expire).toISOString());
        return [{ ...at, text: t("editor.lock_away", { until }), tone: "warn", title: t("editor.lock_away_hint", { until }) }];
      }
      return [{ ...at, text: t("editor.lock_held"), tone: "good", title: t("editor.lock_held_hint") }];
    case "unsure":
      return [{ ...at, text: t("editor.lock_unsure"), tone: "warn", title: t("editor.unsure") }];
    case "lost":
      return [{ ...at, text: t("editor.lock_lost"), tone: "bad", title: t("editor.lost") }];
    case "ended":
      return [];
  }
}

// The icon and the tone of each state. The words beside them say the same: no state is told by colour alone.
import ArrowRight from "@lucide/svelte/icons/arrow-right";
import CircleAlert from "@lucide/svelte/icons/circle-alert";
import CircleCheck from "@lucide/svelte/icons/circle-check";
import CircleDashed from "@lucide/svelte/icons/circle-dashed";
import CircleOff from "@lucide/svelte/icons/circle-off";
import Clock from "@lucide/svelte/icons/clock";
import EyeOff from "@lucide/svelte/icons/eye-off";
import FileQuestionMark from "@lucide/svelte/icons/file-question-mark";
import FileX from "@lucide/svelte/icons/file-x";
import History from "@lucide/svelte/icons/history";
import Hourglass from "@lucide/svelte/icons/hourglass";
import PenLine from "@lucide/svelte/icons/pen-line";
import ShieldAlert from "@lucide/svelte/icons/shield-alert";
import ShieldX from "@lucide/svelte/icons/shield-x";
import TriangleAlert from "@lucide/svelte/icons/triangle-alert";
import Unplug from "@lucide/svelte/icons/unplug";
import type { Component } from "svelte";
import type { HashState } from "../api/hashes";

export type StateTone = "good" | "warn" | "bad" | "plain";

export interface StateLook {
  tone: StateTone;
  icon: Component<{ size?: number; strokeWidth?: number }>;
}

export const LOOKS: Record<HashState, StateLook> = {
  ok: { tone: "good", icon: CircleCheck },
  changed: { tone: "warn", icon: PenLine },
  corrupt: { tone: "bad", icon: ShieldX },
  altered: { tone: "bad", icon: ShieldAlert },
  touched: { tone: "plain", icon: Clock },
  new: { tone: "plain", icon: CircleDashed },
  moved: { tone: "plain", icon: ArrowRight },
  missing: { tone: "bad", icon: FileX },
  root_away: { tone: "plain", icon: Unplug },
  unreadable: { tone: "warn", icon: EyeOff },
  racy: { tone: "warn", icon: Hourglass },
  differs: { tone: "bad", icon: CircleAlert },
  orphan: { tone: "plain", icon: CircleOff },
  malformed: { tone: "warn", icon: FileQuestionMark },
  collision: { tone: "bad", icon: TriangleAlert },
  legacy: { tone: "plain", icon: History },
  foreign: { tone: "plain", icon: FileQuestionMark },
};

/** The states in which a person has to decide: to accept the file as it is, or to restore it. */
const TO_DECIDE: readonly HashState[] = ["changed", "corrupt", "altered", "differs", "missing", "racy"];

export function isToDecide(state: HashState | null): boolean {
  return state !== null && TO_DECIDE.includes(state);
}

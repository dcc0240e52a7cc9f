// The icon and the tone of each state. The words next to them say the same: no state is conveyed by colour only.
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
import { BY_SEVERITY, type StateTone, toneOf } from "./severity";

export interface StateIcon {
  tone: StateTone;
  icon: Component<{ size?: number; strokeWidth?: number }>;
}

const ICONS: Record<HashState, StateIcon["icon"]> = {
  ok: CircleCheck,
  changed: PenLine,
  corrupt: ShieldX,
  altered: ShieldAlert,
  touched: Clock,
  new: CircleDashed,
  moved: ArrowRight,
  missing: FileX,
  root_away: Unplug,
  unreadable: EyeOff,
  racy: Hourglass,
  differs: CircleAlert,
  orphan: CircleOff,
  malformed: FileQuestionMark,
  collision: TriangleAlert,
  legacy: History,
  foreign: FileQuestionMark,
};

export const STATE_ICONS = Object.fromEntries(BY_SEVERITY.map((state) => [state, { tone: toneOf(state), icon: ICONS[state] }])) as Record<HashState, StateIcon>;

// The actions that turn the pictures that the user means, or show all of them. Their own files stay unchanged.
import Expand from "@lucide/svelte/icons/expand";
import FlipHorizontal from "@lucide/svelte/icons/flip-horizontal-2";
import FlipVertical from "@lucide/svelte/icons/flip-vertical-2";
import RotateCcw from "@lucide/svelte/icons/rotate-ccw";
import RotateCw from "@lucide/svelte/icons/rotate-cw";
import type { Action } from "../../api/host";
import { t } from "../../i18n";
import { FLIP_ACROSS, FLIP_DOWN, TURN_LEFT, TURN_RIGHT } from "../entries/turns";
import type { MarkEditor } from "./mark-editor.svelte";

export const ROTATE_RIGHT_KEY = "]";
export const ROTATE_LEFT_KEY = "[";
export const FLIP_ACROSS_KEY = "}";
export const FLIP_DOWN_KEY = "{";
export const UNCROP_KEY = "|";

export function turnMenu({ turn, removeCrop }: MarkEditor): Action[] {
  const menu = true;
  return [
    { id: "rotate-right", label: t("turns.right"), key: ROTATE_RIGHT_KEY, menu, icon: RotateCw, run: () => turn(TURN_RIGHT) },
    { id: "rotate-left", label: t("turns.left"), key: ROTATE_LEFT_KEY, menu, icon: RotateCcw, run: () => turn(TURN_LEFT) },
    { id: "flip-across", label: t("turns.across"), key: FLIP_ACROSS_KEY, menu, icon: FlipHorizontal, run: () => turn(FLIP_ACROSS) },
    { id: "flip-down", label: t("turns.down"), key: FLIP_DOWN_KEY, menu, icon: FlipVertical, run: () => turn(FLIP_DOWN) },
    { id: "uncrop", label: t("crop.remove"), key: UNCROP_KEY, menu, icon: Expand, run: removeCrop },
  ];
}

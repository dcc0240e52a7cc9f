// The keys while a picture is cropped. They precede those of the viewer.
import type { Shortcut } from "../../api/host";
import { t } from "../../i18n";
import type { CropSession } from "./crop-session.svelte";

/** Starts to crop the picture in the viewer. */
export const CROP_KEY = "e";
export const PORTRAIT_KEY = "o";
export const RESET_KEY = "0";
export const ROTATE_KEY = ".";
export const ROTATE_BACK_KEY = ",";

/** The degrees of a rotation by a key. */
const DEGREES = 0.5;

const ARROWS = [
  ["ArrowLeft", -1, 0],
  ["ArrowRight", 1, 0],
  ["ArrowUp", 0, -1],
  ["ArrowDown", 0, 1],
] as const;

export function cropShortcuts(session: CropSession, { apply, cancel }: { apply: () => void; cancel: () => void }): Shortcut[] {
  const palette = false;
  const repeats = true;
  const rotate = (by: number) => () => session.straighten(Math.round((session.angle + by) * 10) / 10);
  return [
    { id: "crop-apply", label: t("crop.apply"), key: "Enter", palette, run: apply },
    { id: "crop-cancel", label: t("crop.cancel"), key: "Escape", palette, run: cancel },
    { id: "crop-portrait", label: t("crop.portrait"), key: PORTRAIT_KEY, palette, run: session.togglePortrait },
    { id: "crop-reset", label: t("crop.reset"), key: RESET_KEY, palette, run: session.reset },
    { id: "crop-rotate", label: t("crop.rotate"), key: ROTATE_KEY, palette, repeats, run: rotate(DEGREES) },
    { id: "crop-rotate-back", label: t("crop.rotate_back"), key: ROTATE_BACK_KEY, palette, repeats, run: rotate(-DEGREES) },
    ...ARROWS.map(([key, across, down]): Shortcut => ({ id: `crop-move-${key}`, label: t("crop.move"), key, palette, repeats, run: () => session.step(across, down) })),
    ...ARROWS.map(([key, across, down]): Shortcut => ({ id: `crop-grow-${key}`, label: t("crop.grow"), key: `Shift+${key}`, palette, repeats, run: () => session.grow(across, down) })),
  ];
}

// The shortcuts of the viewer. Those that zoom and pan its picture are in stage/zoom-shortcuts.ts.
import type { Shortcut } from "../../api/host";
import { t } from "../../i18n";
import type { AnimationPlayer } from "../animation/animation-player.svelte";
import { CROP_KEY } from "../crop/crop-shortcuts";
import { FILE_KEY, FILMSTRIP_KEY, FULL_KEY, INFO_KEY, LONGER_KEY, NEXT_FRAME_KEY, ORIGINAL_KEY, PLAY_KEY, PREVIOUS_FRAME_KEY, SHORTER_KEY, SLIDESHOW_KEY } from "../shortcuts/keys";
import type { Fullscreen } from "./fullscreen.svelte";
import type { Slideshow } from "./slideshow.svelte";

export interface ViewerCommands {
  step: (by: 1 | -1) => void;
  toggleInfo: () => void;
  /** Shows the next file of the picture; null if it has only one. */
  showNextFile: (() => void) | null;
  close: () => Promise<void>;
  /** The place to which closing leads. */
  backTo: "folder" | "page" | "search" | "album";
}

export function viewerShortcuts({ step, toggleInfo, close, backTo, showNextFile }: ViewerCommands): Shortcut[] {
  const next = () => step(1);
  const previous = () => step(-1);
  return [
    { id: "next", label: t("folders.next"), key: "j", repeats: true, run: next },
    { id: "previous", label: t("folders.previous"), key: "k", repeats: true, run: previous },
    { id: "next-arrow", label: t("folders.next"), key: "ArrowRight", palette: false, repeats: true, run: next },
    { id: "previous-arrow", label: t("folders.previous"), key: "ArrowLeft", palette: false, repeats: true, run: previous },
    { id: "picture-info", label: t("folders.info_toggle"), key: INFO_KEY, run: toggleInfo },
    ...(showNextFile === null ? [] : [{ id: "next-file", label: t("folders.next_file"), key: FILE_KEY, run: showNextFile }]),
    ...[
      { id: "back-to-folder", label: t("folders.back_to_folder"), key: "Escape", run: close },
      { id: "back-to-page", label: t("folders.back_to_page"), key: "Escape", run: close },
      { id: "back-to-search", label: t("folders.back_to_search"), key: "Escape", run: close },
      { id: "back-to-album", label: t("folders.back_to_album"), key: "Escape", run: close },
    ].filter(({ id }) => id === `back-to-${backTo}`),
  ];
}

/** Returns the keys of the full view, which Escape leaves first. */
export function fullscreenShortcuts({ isOn, toggle, leave }: Fullscreen): Shortcut[] {
  const keys = [{ id: "full", label: t("folders.full"), key: FULL_KEY, run: toggle }];
  if (isOn) keys.push({ id: "leave-full", label: t("folders.full_leave"), key: "Escape", run: leave });
  return keys;
}

export function slideshowShortcuts({ pace }: Slideshow, toggle: () => void): Shortcut[] {
  return [
    { id: "slideshow", label: t("folders.slideshow"), key: SLIDESHOW_KEY, run: toggle },
    { id: "slides-longer", label: t("folders.slides_longer"), key: LONGER_KEY, run: () => pace(1) },
    { id: "slides-shorter", label: t("folders.slides_shorter"), key: SHORTER_KEY, run: () => pace(-1) },
  ];
}

/** Registered while the picture is turned or cropped. */
export function originalShortcut(toggle: () => void): Shortcut {
  return { id: "show-original", label: t("turns.original"), key: ORIGINAL_KEY, run: toggle };
}

/** Registered unless the file is a video. */
export function cropShortcut(start: () => void): Shortcut {
  return { id: "crop", label: t("crop.start"), key: CROP_KEY, run: start };
}

/** Registered while the picture is animated. */
export function animationShortcuts({ toggle, step }: AnimationPlayer): Shortcut[] {
  return [
    { id: "animation-play", label: t("folders.play"), key: PLAY_KEY, run: toggle },
    { id: "frame-after", label: t("folders.frame_after"), key: NEXT_FRAME_KEY, repeats: true, run: () => step(1) },
    { id: "frame-before", label: t("folders.frame_before"), key: PREVIOUS_FRAME_KEY, repeats: true, run: () => step(-1) },
  ];
}

export function filmstripShortcut(toggle: () => void): Shortcut {
  return { id: "filmstrip", label: t("folders.filmstrip_toggle"), key: FILMSTRIP_KEY, run: toggle };
}

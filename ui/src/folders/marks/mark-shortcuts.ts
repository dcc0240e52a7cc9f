// The keys that rate the pictures that the user means, and those that open their tags and their dates.
import CalendarClock from "@lucide/svelte/icons/calendar-clock";
import Tags from "@lucide/svelte/icons/tags";
import type { Action, Shortcut } from "../../api/host";
import { t } from "../../i18n";
import type { MarkEditor } from "./mark-editor.svelte";
import { REJECTED, UNRATED } from "./marks";
import type { RatingAdvance } from "./rating-advance.svelte";

export const REJECT_KEY = "x";
export const ADVANCE_KEY = "g";
export const TAGS_KEY = "Shift+t";
export const DATES_KEY = "t";

export function markShortcuts({ rate }: MarkEditor): Shortcut[] {
  return [
    { id: "rate-1", label: t("marks.rate", { count: 1 }), key: "1", run: () => rate(1) },
    { id: "rate-2", label: t("marks.rate", { count: 2 }), key: "2", run: () => rate(2) },
    { id: "rate-3", label: t("marks.rate", { count: 3 }), key: "3", run: () => rate(3) },
    { id: "rate-4", label: t("marks.rate", { count: 4 }), key: "4", run: () => rate(4) },
    { id: "rate-5", label: t("marks.rate", { count: 5 }), key: "5", run: () => rate(5) },
    { id: "unrate", label: t("marks.unrate"), key: "0", run: () => rate(UNRATED) },
    { id: "reject", label: t("marks.reject"), key: REJECT_KEY, run: () => rate(REJECTED) },
  ];
}

/** Registered in the viewer and in a comparison. */
export function advanceShortcut({ toggle }: RatingAdvance): Shortcut {
  return { id: "rating-advance", label: t("marks.advance"), key: ADVANCE_KEY, run: toggle };
}

export function markMenu({ openDialog, openDates }: MarkEditor): Action[] {
  return [
    { id: "marks", label: t("marks.ask"), key: TAGS_KEY, menu: true, icon: Tags, run: openDialog },
    { id: "dates", label: t("dates.ask"), key: DATES_KEY, menu: true, icon: CalendarClock, run: openDates },
  ];
}

import { afterEach, expect, it } from "vitest";
import { setLocale } from "../../i18n";
import { groupName } from "./group-words";

const now = new Date(2026, 10, 20, 23, 59);

afterEach(() => setLocale("en"));

it.each<[string | null, string, string]>([
  ["2026-11-20", "Today", "今日"],
  ["2026-11-19", "Yesterday", "昨日"],
  ["2026-11-18", "Wednesday, November 18, 2026", "2026年11月18日水曜日"],
  ["2026-11-21", "Saturday, November 21, 2026", "2026年11月21日土曜日"],
  ["2026-11", "November 2026", "2026年11月"],
  ["2026", "2026", "2026年"],
  ["0000-00-00", "0000-00-00", "0000-00-00"],
  [null, "Undated", "日付なし"],
])("%s is named %s, and in Japanese %s", (key, en, ja) => {
  expect(groupName({ key }, "day", { now })).toBe(en);
  setLocale("ja");
  expect(groupName({ key }, "day", { now })).toBe(ja);
});

it.each([
  ["", "This folder"],
  ["2026-11", "2026-11"],
  ["Trips/Kyoto\n", "Trips › Kyoto\\n"],
])("the folder “%s” is named “%s”", (key, name) => {
  expect(groupName({ key }, "folder", { now })).toBe(name);
});

it.each<["camera" | "rating", string | null, string]>([
  ["camera", "FUJIFILM X-T30", "FUJIFILM X-T30"],
  ["camera", "", "Unknown camera"],
  ["camera", null, "Folders"],
  ["rating", "4", "4 stars"],
  ["rating", "0", "Unrated"],
  ["rating", "-1", "Rejected"],
  ["rating", null, "Folders"],
])("by %s, “%s” is named “%s”", (by, key, name) => {
  expect(groupName({ key }, by, { now })).toBe(name);
});

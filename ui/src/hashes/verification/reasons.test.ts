import { afterEach, expect, it } from "vitest";
import { setLocale } from "../../i18n";
import { reasonWords } from "./reasons";

afterEach(() => setLocale("en"));

it("translates a reason with the server's details", () => {
  setLocale("ja");
  expect(reasonWords({ reason: "the record is empty", reason_code: "record_empty" })).toBe("記録が空です。");
  expect(reasonWords({ reason: "the disk is on fire", reason_code: "unreadable" })).toBe("読み取れません（the disk is on fire）");
});

it("shows an unknown reason unchanged", () => {
  expect(reasonWords({ reason: "a → b", reason_code: "new_name" })).toBe("a → b");
  expect(reasonWords({ reason: "because" })).toBe("because");
  expect(reasonWords({ reason: null })).toBeNull();
});

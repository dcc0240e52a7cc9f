import { expect, it } from "vitest";
import { ApiError, type ApiErrorCode } from "../../api/errors";
import { t } from "../../i18n";
import { advice, conflictLead, safety } from "./save-advice";

it.each([
  ["lock_invalid", "editor.advice_lock"],
  ["locked", "editor.advice_wait"],
  ["disk_full", "editor.advice_disk"],
  ["unreachable", "editor.advice_server"],
  ["too_large", "editor.advice_shorten"],
  ["not_utf8", "editor.advice_again"],
] as [ApiErrorCode, string][])("%s: %s", (code, key) => {
  expect(advice(new ApiError(code, 0, code))).toBe(key);
});

it("has advice for unexpected errors", () => {
  expect(advice(new Error("?"))).toBe("editor.advice_again");
});

it("does not call one's own tab another user", () => {
  const conflict = { text: "", revision: 8, version: "8.0", digest: "", author: "Aya" };
  expect(conflictLead(conflict, "Ben", t)).toBe("Aya saved revision 8 in the meantime.");
  expect(conflictLead(conflict, "Aya", t)).toBe("You saved revision 8 in another window in the meantime.");
});

it("claims no copy that was not written", () => {
  expect(safety({ kind: "failed", error: null })).toBe("editor.safe_here_only");
  expect(safety({ kind: "saved" })).toBe("editor.safe_kept");
});

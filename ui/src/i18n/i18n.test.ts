import { afterEach, describe, expect, it } from "vitest";
import { ApiError, type QueryFault, type UndoObstacle } from "../api/errors";
import { errorMessage, formatAgo, formatBytes, locale, resolveLocale, sentences, setLocale, setMe, systemLocale, t } from ".";

afterEach(() => setLocale("en"));

describe("a text", () => {
  it("follows the language", () => {
    expect(t("settings.title")).toBe("Settings");
    setLocale("ja");
    expect(t("settings.title")).toBe("設定");
    expect(locale()).toBe("ja");
    expect(document.documentElement.lang).toBe("ja");
  });

  it("selects plural forms and formats numbers by language", () => {
    expect(t("folders.count", { count: 1 })).toBe("1 picture");
    expect(t("folders.count", { count: 1284 })).toBe("1,284 pictures");
    setLocale("ja");
    expect(t("folders.count", { count: 1 })).toBe("画像 1\u00a0枚");
  });

  it("keeps a Japanese number and its counter together", () => {
    setLocale("ja");
    expect(t("history.revision", { revision: 12 })).toBe("第\u00a012\u00a0版");
    expect(t("history.count", { count: 3 })).toBe("全\u00a03\u00a0版");
    expect(t("editor.offer_when", { time: "12:05", count: 3 })).toBe("12:05 に書いた 3\u00a0文字です。");
    expect(t("trash.deleted_many", { path: "/旅", count: 3 })).toBe("「/旅」と下の 3\u00a0ページをごみ箱に移動しました");
    setLocale("en");
    expect(t("history.revision", { revision: 12 })).not.toContain("\u00a0");
  });

  it("inserts values without expanding placeholders in them", () => {
    expect(t("new_page.hint", { path: "/{path}/$&" })).toBe("The page will be at /{path}/$&");
  });
});

describe("sentences", () => {
  it("are joined by the language's rules without gaps", () => {
    expect(sentences("One.", false, null, "Two.")).toBe("One. Two.");
    setLocale("ja");
    expect(sentences("一つ。", false, "二つ。")).toBe("一つ。二つ。");
  });
});

describe("the language", () => {
  it.each([
    ["ja", "ja"],
    ["ja-JP", "ja"],
    ["en-GB", "en"],
    ["fr", "en"],
  ])("of a system in %s is %s", (system, expected) => {
    expect(systemLocale(system)).toBe(expected);
  });

  it("is the chosen one if any", () => {
    expect(resolveLocale("ja")).toBe("ja");
  });
});

describe("formats", () => {
  it.each([
    ["en", 0, "0 bytes"],
    ["en", 1, "1 byte"],
    ["en", 1023, "1,023 bytes"],
    ["en", 1024, "1 KiB"],
    ["en", 347_000, "339 KiB"],
    ["en", 1_048_000, "1,023 KiB"],
    ["en", 1_048_400, "1 MiB"],
    ["en", 28_400_000, "27.1 MiB"],
    ["en", 2 ** 30, "1 GiB"],
    ["en", 100 * 2 ** 30, "100 GiB"],
    ["en", 5e15, "4,547 TiB"],
    ["ja", 999, "999 バイト"],
    ["ja", 28_400_000, "27.1 MiB"],
  ] as const)("in %s, %d bytes are unbreakably %s", (language, bytes, expected) => {
    setLocale(language);
    expect(formatBytes(bytes)).toBe(expected.replace(" ", "\u00a0"));
  });

  it("formats recent times in Japanese", () => {
    setLocale("ja");
    expect(formatAgo("2026-11-20T11:59:40", new Date("2026-11-20T12:00:00"))).toBe("たった今");
  });

  it.each([
    ["2026-11-20T11:59:40", "now"],
    ["2026-11-20T11:58:00", "2 min. ago"],
    ["2026-11-20T09:00:00", "3 hr. ago"],
    ["2026-11-19T23:00:00", "yesterday"],
    ["2026-11-17T12:00:00", "3 days ago"],
    ["2026-10-01T12:00:00", "Oct 1, 2026"],
  ])("%s was %s", (then, expected) => {
    expect(formatAgo(then, new Date("2026-11-20T12:00:00"))).toBe(expected);
  });
});

describe("an error in words", () => {
  it("says what is wrong with a query", () => {
    const message = (queryFault: QueryFault) => errorMessage(new ApiError("invalid_value", 422, "", { queryFault }));
    expect(message({ kind: "regex", reason: "unclosed group", at: 3 })).toBe("This regular expression can’t be used, because of character 3: unclosed group.");
    expect(message({ kind: "regex", reason: "it is too large", at: null })).toBe("This regular expression can’t be used: it is too large.");
    expect(message({ kind: "date", date: "soon" })).toBe("“soon” isn’t a date. Write 2026, 2026-04 or 2026-04-30.");
    expect(message({ kind: "value", field: "rating", value: "9" })).toContain("“9” isn’t a rating.");
    expect(message({ kind: "value", field: "size", value: "5MB" })).toContain("Write size:>5MB");
    expect(message({ kind: "type", value: "doc", types: "jpeg, raw" })).toContain("The types are jpeg, raw, and");
    expect(message({ kind: "too_long" })).toBe("A query has at most 1,000 characters.");
  });

  it("names the user who holds the lock", () => {
    expect(errorMessage(new ApiError("draft", 404, "", { userName: "Aya" }))).toBe("Aya is writing a page at this path.");
    setMe("Aya");
    expect(errorMessage(new ApiError("draft", 404, "", { userName: "Aya" }))).toBe("Another window of yours is writing a page at this path.");
    expect(errorMessage(new ApiError("locked", 409, "", { userName: "Aya" }))).toBe("Another window of yours is editing this page.");
    expect(errorMessage(new ApiError("locked", 409, "", { userName: "Ben" }))).toBe("Ben is editing this page.");
    setMe(null);
    expect(errorMessage(new ApiError("locked", 409, ""))).toBe("Someone else is editing this page.");
  });

  it("explains why files can't be restored", () => {
    const stuck = (...reasons: UndoObstacle[]) => errorMessage(new ApiError("changed_since", 409, "", { reasons }));
    expect(stuck("gone")).toBe("It no longer exists.");
    expect(stuck("gone", "taken")).toBe("This can’t be undone because something has changed since.");
  });

  it("never shows internal messages", () => {
    expect(errorMessage(new TypeError("x is undefined"))).not.toContain("undefined");
  });
});

import { beforeEach, expect, it } from "vitest";
import { LockTokens } from "./lock-tokens";

const LOCK = { token: "01ARZ3NDEKTSV4RRFFQ69G5FAV", expire: "2026-11-20T10:00:00Z" };

beforeEach(() => sessionStorage.clear());

it("keeps a token per page and tab", () => {
  new LockTokens("tab-a").write("page", LOCK);
  expect(new LockTokens("tab-a").read("page")).toEqual(LOCK);
  expect(new LockTokens("tab-b").read("page")).toBeNull();
  expect(new LockTokens("tab-a").read("other")).toBeNull();
});

it("forgets it", () => {
  const tokens = new LockTokens("tab");
  tokens.write("page", LOCK);
  tokens.remove("page");
  expect(tokens.read("page")).toBeNull();
});

it.each(["", "null", "{}", "[1]", '{"token":1,"expire":"x"}', "{"])("rejects %j as a token", (text) => {
  sessionStorage.setItem("fumikura.lock.page.tab", text);
  expect(new LockTokens("tab").read("page")).toBeNull();
});

it("remembers the draft of a path", () => {
  const tokens = new LockTokens("tab");
  tokens.writeDraft("/庭", "page");
  expect(tokens.readDraft("/庭")).toBe("page");
  expect(new LockTokens("other").readDraft("/庭")).toBeNull();
  tokens.removeDraft("/庭");
  expect(tokens.readDraft("/庭")).toBeNull();
});

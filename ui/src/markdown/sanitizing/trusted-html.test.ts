import { afterEach, beforeEach, expect, it, vi } from "vitest";

// Another file of this environment may have loaded the module.
beforeEach(() => {
  vi.resetModules();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it("makes our own HTML acceptable to the policy", async () => {
  const createPolicy = vi.fn((_name: string, { createHTML }: { createHTML: (html: string) => string }) => ({ createHTML: (html: string) => ({ trusted: createHTML(html) }) }));
  vi.stubGlobal("trustedTypes", { createPolicy });
  const { trustedHtml } = await import("./trusted-html");
  expect(createPolicy).toHaveBeenCalledExactlyOnceWith("fumikura", expect.anything());
  expect(trustedHtml("<b>a</b>")).toEqual({ trusted: "<b>a</b>" });
  expect(trustedHtml("")).toBe("");
});

it("does not wrap HTML without trusted types", async () => {
  const { trustedHtml } = await import("./trusted-html");
  expect(trustedHtml("<b>a</b>")).toBe("<b>a</b>");
});

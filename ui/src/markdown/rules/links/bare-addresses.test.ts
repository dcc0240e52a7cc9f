import { expect, it } from "vitest";
import { dom } from "../../testing";

it.each([
  ["見る: https://example.org/a?b=c#d", "https://example.org/a?b=c#d"],
  ["https://example.org/を見る", "https://example.org/"],
  ["（https://example.org/a）", "https://example.org/a"],
  ["see https://example.org/a.", "https://example.org/a"],
  ["(https://example.org/a_(b))", "https://example.org/a_(b)"],
  ["http://127.0.0.1:8080/x,", "http://127.0.0.1:8080/x"],
])("%s links %s", (source, href) => {
  expect(dom(source).querySelector("a")?.getAttribute("href")).toBe(href);
});

it.each(["example.org", "main.rs", "aya@example.org", "ftp://example.org", "//example.org", "`https://example.org`", "https://"])(
  "%s stays text",
  (source) => {
    expect(dom(source).querySelector("a")).toBeNull();
  },
);

import { describe, expect, it } from "vitest";
import { hasSubpages, pathInOtherCase } from "./page-paths";

const pages = ["/", "/Travel", "/Travel/Kyoto/Temples", "/Travels"].map((path) => ({ path, deleted: false }));
pages.push({ path: "/Garden/Moss", deleted: true });

it.each([
  ["/", true],
  ["/Travel", true],
  ["/Travel/Kyoto", true],
  ["/Travels", false],
  ["/Garden", false],
  ["/Trav", false],
])("%s has subpages: %s", (path, expected) => expect(hasSubpages(pages, path)).toBe(expected));

describe("a path in other case", () => {
  it.each([
    ["/travel", "/Travel"],
    ["/travel/Nara", "/Travel"],
    ["/Travel/kyoto", "/Travel/Kyoto"],
    ["/Travel", null],
    ["/Travel/Nara", null],
    ["/trave", null],
    ["/garden", null],
  ])("of %s is %s", (path, expected) => expect(pathInOtherCase(pages, path)).toBe(expected));
});

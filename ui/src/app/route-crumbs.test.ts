import { expect, it } from "vitest";
import { setLocale } from "../i18n";

import { crumbsOf, parseAddress } from "./routes";

const labels = (address: string) =>
  crumbsOf(parseAddress(new URL(address, "http://localhost"))).map(({ label, href }) => [label, href]);

it.each([
  ["/wiki/", [["Top page", undefined]]],
  ["/wiki/travel", [["travel", undefined]]],
  [
    "/wiki/旅/京都/秋の庭",
    [
      ["旅", "/wiki/%E6%97%85"],
      ["京都", "/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD"],
      ["秋の庭", undefined],
    ],
  ],
  ["/edit/a/b", [["a", "/wiki/a"], ["b", undefined]]],
  ["/settings", [["Settings", undefined]]],
])("%s is shown with its parent pages", (address, expected) => {
  setLocale("en");
  expect(labels(address)).toEqual(expected);
});

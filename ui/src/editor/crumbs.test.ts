import { expect, it } from "vitest";
import { crumbsOf } from "./crumbs";

it("lists the pages above", () => {
  expect(crumbsOf("/旅/京都", "Top")).toEqual([
    { label: "旅", href: "/wiki/%E6%97%85" },
    { label: "京都", href: "/wiki/%E6%97%85/%E4%BA%AC%E9%83%BD" },
  ]);
});

it("names the root page", () => {
  expect(crumbsOf("/", "Top")).toEqual([{ label: "Top", href: "/wiki/" }]);
});

import { expect, it } from "vitest";
import { unreportedChanges, changesAfterUndo } from "./link-changes";

const link = (page: string, before: string, after: string) => ({ page, link: "beside", before, after });

it("a return reports only links that still differ", () => {
  const move = { from: "/a/p", to: "/b", warnings: [link("/b", "/a/beside", "/beside"), link("/b/q", "/x", "")] };
  const back = [
    link("/a/p", "/beside", "/a/beside"),
    link("/a/p/q", "", "/x"),
    // Another page has been created in between.
    link("/a/p", "/beside", "/a/other"),
    link("/else", "/beside", "/a/beside"),
    link("/same", "/x", "/x"),
  ];
  expect(changesAfterUndo(back, move)).toEqual([link("/a/p", "/beside", "/a/other"), link("/else", "/beside", "/a/beside")]);
});

it("does not repeat changes shown before a move", () => {
  const reported = [link("/b", "/x", "/y")];
  expect(unreportedChanges([link("/b", "/x", "/y"), link("/b", "/x", "/z")], reported)).toEqual([link("/b", "/x", "/z")]);
});

import { describe, expect, it } from "vitest";
import { readPageList } from "./page-list-options";

const HERE = { path: "/旅", id: "P1" };
const queryOf = (source: string) => {
  const read = readPageList(source, HERE);
  return "kind" in read ? read : read.query;
};

describe("a fence of pages", () => {
  it("combines a place, a tag and conditions", () => {
    const source = "from: children\ntag: #秋\nwhere: rating >= 4\nwhere: status = \"in work\"\nwhere: due\nlimit: 5";
    expect(queryOf(source)).toEqual({
      children: true,
      below: "/旅",
      tag: "秋",
      where: [
        { property: "rating", comparison: "at_least", value: "4" },
        { property: "status", comparison: "is", value: "in work" },
        { property: "due", comparison: "exists", value: "" },
      ],
      limit: 5,
    });
  });

  it.each([
    ["sort: -updated", { by: "updated", descending: true }],
    ["sort: due desc", { by: "due", descending: true }],
    ["sort: title", { by: "title", descending: false }],
    ["recent: 10", { by: "updated", descending: true }],
  ])("the order of %j", (source, sort) => expect(queryOf(source)).toMatchObject({ sort }));

  it.each([
    ["colour: red", { kind: "no option", name: "colour" }],
    ["hello", { kind: "no option", name: "hello" }],
    ["limit: 0", { kind: "bad value", name: "limit", value: "0" }],
    ["from: somewhere", { kind: "bad value", name: "from", value: "somewhere" }],
    ["linked: there", { kind: "bad value", name: "linked", value: "there" }],
  ])("names the fault in %j", (source, fault) => expect(queryOf(source)).toEqual(fault));

  it("has columns", () => {
    expect(readPageList("columns: title, due、rating", HERE)).toMatchObject({ columns: ["title", "due", "rating"] });
  });
});

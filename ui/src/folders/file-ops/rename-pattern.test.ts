import { describe, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { encodeName } from "../../api/names";
import { withNewName } from "../entries/renamed-entry";
import { duplicateName, faultOf, firstText, nameOfOne, namesFrom, partedName } from "./rename-pattern";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({
  name,
  kind: "picture",
  size: 1,
  mtime: "2026-11-20T00:00:00Z",
  ...more,
});

describe("a pattern", () => {
  const time = "2026-11-20T12:34:56";
  const two = [entry("a.jpg", { taken: time }), entry("b.tar.gz", { taken: time })];

  it.each([
    ["{name}", 1, ["a.jpg", "b.tar.gz"]],
    ["x {n}", 9, ["x 9.jpg", "x 10.gz"]],
    ["{nn}-{nnn}", 9, ["09-009.jpg", "10-010.gz"]],
    ["{nnnnnnnnn}", 0, ["000000000.jpg", "000000001.gz"]],
    ["{date} {time} {name}", 1, ["2026-11-20 12-34-56 a.jpg", "2026-11-20 12-34-56 b.tar.gz"]],
    ["{Name} {} {nnnnnnnnnn} $1 $&", 1, ["{Name} {} {nnnnnnnnnn} $1 $&.jpg", "{Name} {} {nnnnnnnnnn} $1 $&.gz"]],
  ])("%s from %i becomes %j", (text, start, expected) => {
    const renamed = namesFrom({ text, start }, two);
    expect(Array.isArray(renamed) && renamed.map(({ to }) => to)).toEqual(expected);
  });

  it("does not expand inserted text", () => {
    expect(namesFrom({ text: "{name}", start: 1 }, [entry("{n}.jpg")])).toMatchObject([{ to: "{n}.jpg" }]);
  });

  it.each(["{date}", "x{time}"])("with %s names pictures without a date", (text) => {
    const undated = entry("b.jpg");
    expect(namesFrom({ text, start: 1 }, [entry("a.jpg", { taken: time }), undated])).toEqual({ undated });
  });
});

describe("the name of one file", () => {
  const time = "2026-11-20T12:34:56";

  it.each([
    ["a.jpg", "cat", false, "cat.jpg", ".jpg"],
    ["a.jpg", "cat", true, "cat", ""],
    ["a.jpg", "cat.png", false, "cat.png", ".png"],
    ["a.jpg", "cat.png", true, "cat.png", ".png"],
    ["a.jpg", "{date} {name}", false, "2026-11-20 a.jpg", ".jpg"],
    ["a.jpg", "{name} {nn}.jpg", false, "a 07.jpg", ".jpg"],
    ["a.b.jpg", "{name}", false, "a.b.jpg", ".jpg"],
    ["README", "{name}.md", false, "README.md", ""],
    ["a.jpg", "", false, "", ".jpg"],
  ])("%s as “%s”, extension removed: %s, is %s", (name, text, bare, to, extension) => {
    expect(nameOfOne({ text, start: 7 }, entry(name, { taken: time }), bare)).toMatchObject({ renamed: { to }, extension });
  });

  it("is literal until a pattern is typed", () => {
    for (const name of ["a.jpg", "{n} {date}.jpg", "{name}", "README"]) {
      const { stem, extension } = firstText(entry(name));
      expect(nameOfOne({ text: stem + extension, start: 1 }, entry(name), false)).toMatchObject({ renamed: { to: name } });
    }
  });

  it("shows that its date is unknown", () => {
    const undated = entry("a.jpg");
    expect(nameOfOne({ text: "{date}", start: 1 }, undated, false)).toEqual({ undated });
  });
});

it.each([
  ["a.jpg", "picture", "a", ".jpg"],
  ["a.tar.gz", "other", "a.tar", ".gz"],
  ["a", "other", "a", ""],
  [".hidden", "other", ".hidden", ""],
  ["a.b", "folder", "a.b", ""],
] as const)("%s, a %s, ends in its extension", (name, kind, stem, extension) => {
  expect(partedName({ name, kind })).toEqual({ stem, extension });
});

it.each([
  ["a.jpg", null],
  ["", "empty"],
  ["a/b", "slash"],
  [".a", "hidden"],
  ["あ".repeat(85), null],
  ["あ".repeat(86), "long"],
])("%s has the fault %s", (name, fault) => {
  expect(faultOf(name)).toBe(fault);
});

it("two files can't have one name", () => {
  const to = (name: string) => ({ from: entry("x"), to: name });
  expect(duplicateName([to("a"), to("A"), to("b")])).toBeNull();
  expect(duplicateName([to("a"), to("b"), to("b"), to("a")])).toBe("b");
});

it("a renamed entry loses its bytes", () => {
  const latin = entry("caf\ufffd", { name_bytes: btoa("caf\xe9") });
  const names = new Map([[encodeName(latin), encodeName({ name: "旅 1" })]]);
  expect(withNewName(latin, names)).toEqual({ ...latin, name: "旅 1", name_bytes: undefined });
  const other = entry("a");
  expect(withNewName(other, names)).toBe(other);
  const back = new Map([...names].map(([from, to]) => [to, from]));
  expect(withNewName(withNewName(latin, names), back)).toEqual(latin);
});

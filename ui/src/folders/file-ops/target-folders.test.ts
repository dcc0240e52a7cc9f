import { expect, it } from "vitest";
import type { TargetFolders } from "../../api/backend";
import { canonicalPath } from "../../api/names";
import { offered, toggledFavourite, withRecent } from "./target-folders";

const place = (path: string) => ({ root: "R1", path: canonicalPath(path) });
const NONE: TargetFolders = { recent: [], favourites: [] };

it("the last destination comes first, once", () => {
  const folders = ["a", "b", "a"].reduce((all, path) => withRecent(all, place(path)), NONE);
  expect(folders.recent.map(({ path }) => path)).toEqual(["a", "b"]);
  const many = Array.from({ length: 20 }, (_, at) => `f${at}`).reduce((all, path) => withRecent(all, place(path)), NONE);
  expect(many.recent).toHaveLength(10);
});

it("favourites precede recent folders, without repetition", () => {
  const roots = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  const folders = ["a", "%E4%BA%AC/b"].reduce((all, path) => withRecent(all, place(path)), toggledFavourite(NONE, place("a")));
  const names = (all: TargetFolders) => offered(all, roots).map(({ label, isFavourite }) => [label, isFavourite]);
  expect(names(folders)).toEqual([["Photos › a", true], ["Photos › 京 › b", false]]);
  expect(names(toggledFavourite(folders, place("a")))).toEqual([["Photos › 京 › b", false], ["Photos › a", false]]);
  expect(offered(folders, [])).toEqual([]);
});

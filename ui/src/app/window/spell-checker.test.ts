import { expect, it, vi } from "vitest";
import { SpellChecker } from "./spell-checker.svelte";

const SETTINGS = { enabled: true, languages: ["en_GB", "xx"] };

function checker() {
  const setSpelling = vi.fn(() => Promise.resolve(["en_GB"]));
  return { setSpelling, spelling: new SpellChecker({ setSpelling }) };
}

it("follows the settings, once", async () => {
  const { setSpelling, spelling } = checker();
  await spelling.follow(SETTINGS, null);
  await spelling.follow({ ...SETTINGS }, null);
  expect(setSpelling).toHaveBeenCalledExactlyOnceWith(SETTINGS);
  expect(spelling.dictionaries).toEqual(["en_GB"]);
});

it("the language of a page comes first", async () => {
  const { setSpelling, spelling } = checker();
  await spelling.follow(SETTINGS, "de");
  expect(setSpelling).toHaveBeenLastCalledWith({ enabled: true, languages: ["de"] });
  await spelling.follow(SETTINGS, null);
  expect(setSpelling).toHaveBeenLastCalledWith(SETTINGS);
});

it("a browser has its own", async () => {
  const spelling = new SpellChecker(null);
  await spelling.follow(SETTINGS, null);
  expect(spelling.dictionaries).toBeNull();
});

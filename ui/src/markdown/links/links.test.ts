// The store also reads a page's links (crates/wiki/src/links/). Both must find the same links in the same text.
import { expect, it } from "vitest";
import fixture from "../../../../tests/fixtures/links/cases.json";
import { writtenLinks } from "./written-links";

const { page, cases } = fixture;

it.each(cases)("$source", ({ source, links }) => {
  const targets = writtenLinks(source, page).map(({ target, tail }) => target + decodeURI(tail));
  expect([...new Set(targets)].sort()).toEqual([...links].sort());
});

import { expect, it } from "vitest";
import { html } from "../../testing";

const listed = (source: string) => html(source).replace(/\n/g, "");

it.each([
  ["絞り\n: レンズの開口", "<dl><dt>絞り</dt><dd>レンズの開口</dd></dl>"],
  ["a\n: b\n: c\n\nd\n: e", "<dl><dt>a</dt><dd>b</dd><dd>c</dd><dt>d</dt><dd>e</dd></dl>"],
  ["a\n\n: b", "<dl><dt>a</dt><dd><p>b</p></dd></dl>"],
  ["*a*\n: - b", "<dl><dt><em>a</em></dt><dd><ul><li>b</li></ul></dd></dl>"],
])("%j is a definition list", (source, expected) => {
  expect(listed(source)).toBe(expected);
});

it.each(["a\n:b", "a\nb\n: c", "絞り\n：開口", ": a"])("%j is none", (source) => {
  expect(listed(source)).not.toContain("<dl>");
});

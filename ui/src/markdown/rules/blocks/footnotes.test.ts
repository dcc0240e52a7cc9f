import { expect, it } from "vitest";
import { html } from "../../testing";

it("keeps a note within another", () => {
  const rendered = html("a^[outer ^[inner]]");
  expect(rendered).toContain("outer");
  expect(rendered).toContain("inner");
  expect(rendered.match(/<li/g)).toHaveLength(2);
});

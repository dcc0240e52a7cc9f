import { Linter } from "eslint";
import { expect, it } from "vitest";
import { testTitle } from "./test-title.js";

const config: Linter.Config[] = [{ plugins: { own: { rules: { "test-title": testTitle } } }, rules: { "own/test-title": "error" } }];
const reports = (code: string) => new Linter().verify(code, config).map(({ message }) => message);

const LONG = "one two three four five six seven eight nine";

it.each([
  `it("${LONG}", () => {});`,
  `test("${LONG}", () => {});`,
  `it.skip("${LONG}", () => {});`,
  `it.each([1])("${LONG}", () => {});`,
  `it.each\`a\n\${1}\`("${LONG}", () => {});`,
  "it(`one ${two} three ${four} five six seven eight nine`, () => {});",
])("reports %s", (code) => {
  expect(reports(code)).toEqual(["This title has 9 words, more than 8: state the behaviour in fewer."]);
});

it.each([
  `it("one two  three four five six seven eight", () => {});`,
  "it(`one ${two + three + four} five six seven eight nine ten`, () => {});",
  `describe("${LONG}", () => {});`,
  `expect("${LONG}", () => {});`,
  "it(name, () => {});",
])("accepts %s", (code) => {
  expect(reports(code)).toEqual([]);
});

import { expect, it } from "vitest";
import { fillTemplate } from "./placeholders";

const FACTS = { title: "京都", time: new Date(2026, 10, 29, 9, 5), user: "Aki", locale: "en" as const };
const fill = (template: string) => fillTemplate(template, FACTS);

it.each([
  ["# {{title}}\n", "# 京都\n"],
  ["{{date}} {{time}}", "2026-11-29 09:05"],
  ["{{date:D MMMM YYYY, dddd}}", "29 November 2026, Sunday"],
  ["{{date:YYYY-[W]WW}}", "2026-W48"],
  ["{{time:H時m分}}", "9時5分"],
  ["by {{ user }}", "by Aki"],
  ["{ {title} } {{}} ${{", "{ {title} } {{}} ${{"],
])("fills %s", (template, text) => {
  expect(fill(template)).toEqual({ text, cursor: null, unknown: [] });
});

it("names days in Japanese", () => {
  expect(fillTemplate("{{date:M月D日(ddd)}}", { ...FACTS, locale: "ja" }).text).toBe("11月29日(日)");
});

it("keeps unknown placeholders, each named once", () => {
  const text = "{{titel}} {{user:long}} {{titel}}";
  expect(fill(text)).toEqual({ text, cursor: null, unknown: ["{{titel}}", "{{user:long}}"] });
});

it("puts the cursor at its first placeholder", () => {
  expect(fill("# {{title}}\n\n{{cursor}}\n\n{{cursor}}end")).toEqual({ text: "# 京都\n\n\n\nend", cursor: 6, unknown: [] });
});

import { expect, it } from "vitest";
import { formatsOf } from "./picture-formats.ts";

const HEADING = "| Format | Name | Filter | Extensions | Media type | Decoder |\n| --- | --- | --- | --- | --- | --- |\n";

it("reads the formats from the document’s table", () => {
  const document = `# Picture formats\n\n- \`a.png\`\n\n${HEADING}| Windows bitmap | BMP | \`bmp\` | \`.bmp\` \`.dib\` | \`image/bmp\` | the \`image\` crate |\n\n## Windows bitmap\n`;
  expect(formatsOf(document)).toEqual([{ label: "BMP", filter: "bmp", mime: "image/bmp", extensions: ["bmp", "dib"] }]);
});

it("refuses a table with other columns", () => {
  expect(() => formatsOf("| Format | Extensions |\n| --- | --- |\n")).toThrow("other columns");
});

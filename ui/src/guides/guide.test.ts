import { describe, expect, it } from "vitest";
import { partsOf } from "./guide";

describe("a guide", () => {
  it("is parsed into headings with their bold texts", () => {
    const parts = partsOf("# All\n\nPress **Save**.\n\n## Part `x`\n\n- **One**, or **Two**");
    expect(parts.map(({ level, title, quoted }) => [level, title, quoted])).toEqual([
      [1, "All", ["Save"]],
      [2, "Part `x`", ["One", "Two"]],
    ]);
  });

  it("has table rows with labels and keys", () => {
    const [part] = partsOf(
      "# Keys\n\n| Action | Keys |\n| --- | --- |\n| **Go**, if **Save** | <kbd>Ctrl</kbd> <kbd>,</kbd> or <kbd>J</kbd>, not **Stop** |",
    );
    expect(part?.rows).toEqual([{ label: "Go", keys: ["Ctrl ,", "J"] }]);
    expect(part?.rowHeads).toEqual(["Go", "Save"]);
    expect(part?.quoted).toEqual(["Stop"]);
  });

  it("is refused when its markup is unclosed", () => {
    expect(() => partsOf("# 題\n\nここで**開く…**を押します。")).toThrow("開く");
  });
});

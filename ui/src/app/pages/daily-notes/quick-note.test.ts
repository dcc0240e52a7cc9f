import { beforeEach, describe, expect, it } from "vitest";
import { joined, unsentNote } from "./quick-note";

describe("the quick note", () => {
  beforeEach(() => localStorage.clear());

  it("becomes a paragraph at the end", () => {
    expect(joined("", "茶")).toBe("茶\n");
    expect(joined("# 今日", "茶")).toBe("# 今日\n\n茶\n");
    expect(joined("# 今日  \n\n\n", " 茶\n水 ")).toBe("# 今日  \n\n茶\n水\n");
  });

  it("keeps the line ends of the text", () => {
    expect(joined("a\r\nb\r\n", "c\nd")).toBe("a\r\nb\r\n\r\nc\r\nd\r\n");
  });

  it("is kept until it was added", () => {
    unsentNote.write("茶");
    expect(unsentNote.read()).toBe("茶");
    unsentNote.write("");
    expect(localStorage).toHaveLength(0);
  });
});

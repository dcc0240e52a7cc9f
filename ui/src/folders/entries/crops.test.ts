import { describe, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { asOriginal, cropStyle, isEdited, isSameCrop, partOf, turnedCrop, unturnedCrop, WHOLE, withCrop } from "./crops";
import { combined, reversed, TURN_RIGHT, withTurn } from "./turns";

const ALL = [1, 2, 3, 4, 5, 6, 7, 8];
const CROP = { x: 0.3, y: 0.4, width: 0.5, height: 0.25, angle: 5 };
const entry: FolderEntry = { name: "a.jpg", kind: "picture", size: 1, mtime: "2026-11-20T00:00:00Z", width: 4_000, height: 3_000 };

describe("a crop", () => {
  it("follows the turn of its picture", () => {
    expect(turnedCrop(CROP, TURN_RIGHT)).toEqual({ x: 0.6, y: 0.3, width: 0.25, height: 0.5, angle: 5 });
    expect(turnedCrop(CROP, 2)).toEqual({ x: 0.7, y: 0.4, width: 0.5, height: 0.25, angle: -5 });
    for (const one of ALL) {
      expect(isSameCrop(unturnedCrop(turnedCrop(CROP, one), one), CROP)).toBe(true);
      for (const other of ALL) expect(isSameCrop(turnedCrop(turnedCrop(CROP, one), other), turnedCrop(CROP, combined(one, other)))).toBe(true);
      expect(isSameCrop(turnedCrop(turnedCrop(CROP, one), reversed(one)), CROP)).toBe(true);
    }
  });

  it("changes an entry’s size, whatever its turn", () => {
    const cropped = withCrop(entry, CROP);
    expect([cropped.width, cropped.height, isEdited(cropped)]).toEqual([2_000, 750, true]);
    const turned = withTurn(cropped, TURN_RIGHT);
    expect([turned.width, turned.height]).toEqual([750, 2_000]);
    expect(withCrop(turned, WHOLE)).toMatchObject({ width: 3_000, height: 4_000, crop: null });
    expect(asOriginal(turned)).toMatchObject({ width: 4_000, height: 3_000, crop: null, turn: null });
    expect(withCrop(entry, null)).toBe(entry);
    expect(partOf(WHOLE)).toBeNull();
  });

  it("places the part in its box", () => {
    const upright = cropStyle({ ...CROP, angle: 0 }, { width: 200, height: 75 });
    expect(upright.size).toEqual({ width: 400, height: 300 });
    expect(upright.clipPath).toBe("polygon(5% 27.5%, 55% 27.5%, 55% 52.5%, 5% 52.5%)");
    expect(upright.transform).toBe("translate(100px, 37.5px) rotate(0deg) translate(-120px, -120px)");
    expect(cropStyle(CROP, { width: 200, height: 75 }).transform).toContain("rotate(-5deg)");
  });
});

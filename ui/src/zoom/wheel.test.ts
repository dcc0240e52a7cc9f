import { describe, expect, it } from "vitest";
import { wheelMeaning, type WheelTurn } from "./wheel";

const turn = (one: Partial<WheelTurn>) => wheelMeaning({ deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, shiftKey: false, ...one });
const factor = (one: Partial<WheelTurn>) => {
  const meaning = turn(one);
  return "factor" in meaning ? meaning.factor : null;
};

describe("a turn of the wheel", () => {
  it("zooms in upwards, and reversibly", () => {
    const [nearer, farther] = [factor({ deltaY: -100 }), factor({ deltaY: 100 })];
    expect(nearer).toBeGreaterThan(1.1);
    expect((nearer ?? 0) * (farther ?? 0)).toBeCloseTo(1);
  });

  it("zooms equally when reported in lines", () => {
    expect(factor({ deltaY: 3, deltaMode: WheelEvent.DOM_DELTA_LINE })).toBeCloseTo(factor({ deltaY: 100 }) ?? 0, 2);
  });

  it("is limited for each event", () => {
    expect(factor({ deltaY: -5_000 })).toBeLessThan(2);
    expect(factor({ deltaY: -2, deltaMode: WheelEvent.DOM_DELTA_PAGE })).toBeLessThan(2);
    expect(factor({ deltaY: -120, ctrlKey: true })).toBeLessThan(1.4);
  });

  it("is the factor of a touchpad's pinch", () => {
    expect(factor({ deltaY: -100 * Math.log(1.05), ctrlKey: true })).toBeCloseTo(1.05);
  });

  it("sideways, or with Shift, moves", () => {
    expect(turn({ deltaX: 30, deltaY: 4 })).toEqual({ pan: { x: -30, y: -4 } });
    expect(turn({ deltaY: 30, shiftKey: true })).toEqual({ pan: { x: -30, y: 0 } });
    expect(turn({ deltaX: 30, shiftKey: true })).toEqual({ pan: { x: -30, y: 0 } });
  });
});

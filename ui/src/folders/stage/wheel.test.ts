import { describe, expect, it } from "vitest";
import { wheelMeaning, type WheelTurn } from "./wheel";

const turn = (one: Partial<WheelTurn>) => wheelMeaning({ deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, shiftKey: false, ...one });
const factor = (one: Partial<WheelTurn>) => {
  const meaning = turn(one);
  return "factor" in meaning ? meaning.factor : null;
};

describe("a turn of the wheel", () => {
  it("upwards enlarges, and back leads to where one was", () => {
    const [nearer, farther] = [factor({ deltaY: -100 }), factor({ deltaY: 100 })];
    expect(nearer).toBeGreaterThan(1.1);
    expect((nearer ?? 0) * (farther ?? 0)).toBeCloseTo(1);
  });

  it("does about as much where it is told in lines", () => {
    expect(factor({ deltaY: 3, deltaMode: WheelEvent.DOM_DELTA_LINE })).toBeCloseTo(factor({ deltaY: 100 }) ?? 0, 2);
  });

  it("that is much at once does no more than a person can follow", () => {
    expect(factor({ deltaY: -5_000 })).toBeLessThan(2);
    expect(factor({ deltaY: -2, deltaMode: WheelEvent.DOM_DELTA_PAGE })).toBeLessThan(2);
    expect(factor({ deltaY: -120, ctrlKey: true })).toBeLessThan(1.4);
  });

  it("is the factor itself where two fingers on a touchpad make it", () => {
    expect(factor({ deltaY: -100 * Math.log(1.05), ctrlKey: true })).toBeCloseTo(1.05);
  });

  it("sideways, or with Shift, moves", () => {
    expect(turn({ deltaX: 30, deltaY: 4 })).toEqual({ pan: { x: -30, y: -4 } });
    expect(turn({ deltaY: 30, shiftKey: true })).toEqual({ pan: { x: -30, y: 0 } });
    expect(turn({ deltaX: 30, shiftKey: true })).toEqual({ pan: { x: -30, y: 0 } });
  });
});

import { describe, expect, it } from "vitest";
import { FITTED, type Frame, hasPixelsShown, type Viewport, overflow, panned, pinched, placementOf, type Point, stepped, toggled, turned, zoomedBy, zoomedTo, zoomOf } from "./zoom";

/** A picture of 4,000 × 3,000 on a stage of 1,000 × 600. */
const frame: Frame = {
  picture: { width: 4_000, height: 3_000 },
  stage: { width: 1_000, height: 600 },
  margin: { width: 50, height: 0 },
  density: 1,
};
const small: Frame = { ...frame, picture: { width: 64, height: 48 } };
const fine: Frame = { ...frame, density: 2 };

/** Returns the part of the upright picture at a position of the stage. */
function partAt(viewport: Viewport, frame: Frame, { x, y }: Point): Point {
  const { width, height, transform } = placementOf(viewport, frame);
  const [, across = 0, down = 0, turn = 0] = (/translate\((\S+)px, (\S+)px\)(?: rotate\((\d+)deg\))?/.exec(transform) ?? []).map(Number);
  const [right, below] = [x + frame.stage.width / 2 - across, y + frame.stage.height / 2 - down];
  const angle = ((turn || 0) * Math.PI) / 180;
  return {
    x: (right * Math.cos(angle) + below * Math.sin(angle)) / width,
    y: (below * Math.cos(angle) - right * Math.sin(angle)) / height,
  };
}

function expectSame(one: Point, other: Point) {
  // The corner is rounded to a whole pixel.
  expect(Math.abs(one.x - other.x)).toBeLessThan(0.001);
  expect(Math.abs(one.y - other.y)).toBeLessThan(0.001);
}

describe("a fitted picture", () => {
  it("is whole and centred within its margin", () => {
    expect(placementOf(FITTED, frame)).toEqual({ zoom: 0.2, width: 800, height: 600, transform: "translate(100px, 0px)" });
    const wide: Frame = { ...frame, picture: { width: 9_000, height: 900 } };
    expect(placementOf(FITTED, wide)).toMatchObject({ width: 900, height: 90 });
  });

  it("is not enlarged", () => {
    expect(placementOf(FITTED, small)).toMatchObject({ zoom: 1, width: 64, height: 48 });
    expect(placementOf(FITTED, { ...small, density: 2 })).toMatchObject({ zoom: 1, width: 32, height: 24 });
  });

  it("fits as it is turned", () => {
    const viewport = turned(FITTED, 1);
    expect(placementOf(viewport, frame)).toEqual({ zoom: 0.15, width: 600, height: 450, transform: "translate(725px, 0px) rotate(90deg)" });
    expect(overflow(viewport, frame)).toEqual({ x: false, y: false });
  });

  it("has a minimum size without space", () => {
    const { width, height } = placementOf(FITTED, { ...frame, stage: { width: 60, height: 0 } });
    expect(width).toBeGreaterThan(0);
    expect(height).toBeGreaterThan(0);
  });
});

it("a filling picture covers the stage", () => {
  const viewport = zoomedTo(FITTED, frame, "fill");
  expect(placementOf(viewport, frame)).toMatchObject({ zoom: 0.25, width: 1_000, height: 750 });
  expect(overflow(viewport, frame)).toEqual({ x: false, y: true });
  expect(placementOf(zoomedTo(FITTED, small, "fill"), small)).toMatchObject({ width: 1_000, height: 750 });
  expect(placementOf(turned(viewport, 1), frame)).toMatchObject({ width: 1333.3333333333333, height: 1_000 });
});

it("at 100 % pixels match the screen's", () => {
  const viewport = zoomedTo(FITTED, fine, 1);
  expect(placementOf(viewport, fine)).toMatchObject({ zoom: 1, width: 2_000, height: 1_500 });
  const odd: Frame = { ...fine, picture: { width: 4_001, height: 2_999 } };
  const [, left = 0, top = 0] = (/translate\((\S+)px, (\S+)px\)/.exec(placementOf(viewport, odd).transform) ?? []).map(Number);
  expect([(left * 2) % 1, (top * 2) % 1].map(Math.abs)).toEqual([0, 0]);
});

describe("zooming", () => {
  it.each<[string, Viewport]>([
    ["upright", FITTED],
    ["turned", turned(FITTED, 1)],
    ["upside down", turned(turned(FITTED, 1), 1)],
    ["turned to the left", turned(FITTED, -1)],
  ])("keeps the place under the pointer (%s)", (_, viewport) => {
    const at = { x: 90, y: -40 };
    const before = partAt(viewport, frame, at);
    const nearer = zoomedBy(zoomedBy(viewport, frame, 6, at), frame, 1.3, at);
    expectSame(partAt(nearer, frame, at), before);
    expectSame(partAt(zoomedBy(nearer, frame, 0.5, at), frame, at), before);
  });

  it("ranges from 5 % to 1,600 %", () => {
    expect(zoomOf(zoomedBy(FITTED, frame, 1e6), frame)).toBe(16);
    expect(zoomOf(zoomedBy(FITTED, frame, 1e-6), frame)).toBe(0.05);
    const huge: Frame = { ...frame, picture: { width: 90_000, height: 60_000 } };
    expect(zoomedBy(zoomedTo(FITTED, huge, 1), huge, 1e-9).zoom).toBe("fit");
    expect(zoomOf(FITTED, huge)).toBe(0.01);
  });

  it("stops at the fitted size", () => {
    const near = zoomedTo(FITTED, frame, 0.21);
    const rested = zoomedBy(near, frame, 0.9);
    expect(rested.zoom).toBe("fit");
    expect(zoomOf(zoomedBy(rested, frame, 0.9), frame)).toBeCloseTo(0.18);
    expect(zoomedBy(zoomedTo(FITTED, frame, 0.19), frame, 1.1).zoom).toBe("fit");
  });

  it("steps through standard sizes and the fitted one", () => {
    const values = [];
    let viewport = zoomedTo(FITTED, small, 0.5);
    for (let step = 0; step < 12; step += 1) {
      viewport = stepped(viewport, small, 1);
      values.push(viewport.zoom);
    }
    expect(values).toEqual([0.7, "fit", 1.5, 2, 3, 4, 6, 8, 12, 16, 16, 16]);
    expect(stepped(FITTED, frame, -1).zoom).toBe(0.15);
    expect(stepped(zoomedTo(FITTED, frame, 0.05), frame, -1).zoom).toBe(0.05);
    const between: Frame = { ...frame, picture: { width: 3_600, height: 2_700 } };
    expect(stepped(zoomedTo(FITTED, between, 0.3), between, -1).zoom).toBe("fit");
  });

  it("starts from the filling size", () => {
    const filling = zoomedTo(FITTED, frame, "fill");
    expect(stepped(filling, frame, 1).zoom).toBe(0.3);
    expect(stepped(filling, frame, -1).zoom).toBe("fit");
    // Larger than zooming otherwise allows.
    const dot: Frame = { ...frame, picture: { width: 1, height: 1 } };
    expect(stepped(zoomedTo(FITTED, dot, "fill"), dot, 1).zoom).toBe("fill");
    expect(stepped(zoomedTo(FITTED, dot, "fill"), dot, -1).zoom).toBe(16);
  });

  it("toggles to actual pixels by double click", () => {
    const at = { x: -300, y: 100 };
    const viewport = toggled(FITTED, frame, at);
    expect(viewport.zoom).toBe(1);
    expectSame(partAt(viewport, frame, at), partAt(FITTED, frame, at));
    expect(toggled(viewport, frame, at)).toEqual(FITTED);
    expect(toggled(zoomedTo(FITTED, frame, 0.1), frame).zoom).toBe("fit");
  });

  it("by pinching keeps the points under the fingers", () => {
    const before = [{ x: -50, y: 0 }, { x: 50, y: 0 }] as const;
    const after = [{ x: -180, y: 60 }, { x: 220, y: 60 }] as const;
    const viewport = pinched(FITTED, frame, before, after);
    expect(zoomOf(viewport, frame)).toBeCloseTo(0.8);
    for (const finger of [0, 1] as const) expectSame(partAt(viewport, frame, after[finger]), partAt(FITTED, frame, before[finger]));
  });

  it("by pinching in one place is stable", () => {
    const one = [{ x: 5, y: 5 }, { x: 5, y: 5 }] as const;
    expect(zoomOf(pinched(FITTED, frame, one, one), frame)).toBe(0.05);
  });

  it("shows pixels from four screen pixels each", () => {
    expect([1, 3.99, 4, 16].map(hasPixelsShown)).toEqual([false, false, true, true]);
  });
});

describe("panning", () => {
  const large = zoomedTo(FITTED, frame, 1);

  it("ends at the edges", () => {
    const corner = panned(large, frame, { x: 1e6, y: 1e6 });
    expectSame(partAt(corner, frame, { x: -500, y: -300 }), { x: 0, y: 0 });
    // The movement starts at once: the excess before it is not remembered.
    expectSame(partAt(panned(corner, frame, { x: -40, y: 0 }), frame, { x: -500, y: -300 }), { x: 0.01, y: 0 });
    expectSame(partAt(panned(large, frame, { x: -1e6, y: -1e6 }), frame, { x: 500, y: 300 }), { x: 1, y: 1 });
  });

  it("moves only if a part is outside", () => {
    const wide: Frame = { ...frame, picture: { width: 4_000, height: 300 } };
    const viewport = panned(zoomedTo(FITTED, wide, 1), wide, { x: -100, y: -100 });
    expect(overflow(viewport, wide)).toEqual({ x: true, y: false });
    expect(viewport.center).toEqual({ x: 0.525, y: 0.5 });
    expect(panned(FITTED, frame, { x: 9, y: 9 })).toEqual(FITTED);
  });

  it("keeps the centre when the stage is resized", () => {
    const moved = panned(large, frame, { x: 400, y: 300 });
    const wider: Frame = { ...frame, stage: { width: 1_400, height: 700 } };
    expectSame(partAt(moved, wider, { x: 0, y: 0 }), partAt(moved, frame, { x: 0, y: 0 }));
  });

  it("keeps the visible part for another picture", () => {
    const corner = panned(large, frame, { x: 1e6, y: 1e6 });
    const other: Frame = { ...frame, picture: { width: 3_000, height: 4_000 } };
    expectSame(partAt(corner, other, { x: -500, y: 0 }), { x: 0, y: 0.1 });
    expect(placementOf(corner, small).transform).toBe("translate(468px, 276px)");
  });
});

describe("rotating", () => {
  it("turns around the centre of the stage", () => {
    const viewport = panned(zoomedTo(FITTED, frame, 1), frame, { x: 200, y: -100 });
    const middle = partAt(viewport, frame, { x: 0, y: 0 });
    for (const by of [1, -1] as const) expectSame(partAt(turned(viewport, by), frame, { x: 0, y: 0 }), middle);
  });

  it("four times is none", () => {
    const viewport = panned(zoomedTo(FITTED, frame, 1), frame, { x: 200, y: -100 });
    const round = [1, 1, 1, 1].reduce((now) => turned(now, 1), viewport);
    expect(round.turns).toBe(0);
    expectSame(round.center, viewport.center);
    expect(turned(turned(viewport, 1), -1).turns).toBe(0);
  });
});

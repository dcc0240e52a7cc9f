import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Animation, type FileBytes, frameDuration, withinLimits } from "./animation";
import { readGif } from "./gif";
import { isAnimatedPng, readPng } from "./png";
import { isAnimatedWebp, readWebp } from "./webp";

const fixture = (name: string): FileBytes => new Uint8Array(readFileSync(`../tests/fixtures/images/${name}`));
const join = (parts: readonly FileBytes[]): FileBytes => new Uint8Array(Buffer.concat(parts));
const files = ({ frames }: Animation) => frames.map((frame) => join(frame.file()));
const places = ({ frames }: Animation) => frames.map(({ x, y, width, height }) => [x, y, width, height]);

/** The readers, and a picture of each kind: its first frame is whole, the others are a part. */
const KINDS: [string, (bytes: FileBytes) => Animation | null][] = [
  ["a-moving.gif", readGif],
  ["b-moving.png", readPng],
  ["c-moving.webp", readWebp],
];

function moving(name: string, read: (bytes: FileBytes) => Animation | null): Animation {
  const found = read(fixture(`animated/${name}`));
  const animation = found && withinLimits(found);
  if (animation === null) throw new Error(`${name} has no frames`);
  return animation;
}

describe.each(KINDS)("%s", (name, read) => {
  const animation = moving(name, read);

  it("has its frames", () => {
    expect(animation).toMatchObject({ width: 40, height: 30, plays: 0 });
    expect(animation.frames.map(({ duration }) => duration)).toEqual([200, 300, 400]);
    const [first, ...others] = places(animation);
    expect(first).toEqual([0, 0, 40, 30]);
    for (const [x = 0, y = 0, width = 0, height = 0] of others) {
      expect(x + width).toBeLessThanOrEqual(40);
      expect(y + height).toBeLessThanOrEqual(30);
      expect(width * height).toBeLessThan(40 * 30);
    }
  });

  it("survives its end at any byte", () => {
    const whole = fixture(`animated/${name}`);
    for (let length = 0; length < whole.length; length += 1) {
      for (const frame of read(whole.slice(0, length))?.frames ?? []) expect(frame.file().length).toBeGreaterThan(0);
    }
  });

  it("is not read as another kind", () => {
    const others = KINDS.filter(([other]) => other !== name).map(([other]) => fixture(`animated/${other}`));
    expect(others.map(read)).toEqual([null, null]);
  });
});

it("a frame of a GIF is a GIF", () => {
  const animation = moving(...(KINDS[0] as (typeof KINDS)[0]));
  files(animation).forEach((file, nth) => {
    const single = readGif(file);
    const { width, height } = animation.frames[nth] ?? {};
    expect(single).toMatchObject({ width, height, frames: [{ x: 0, y: 0, width, height, disposal: "keep" }] });
    expect(file.at(-1)).toBe(0x3b);
  });
});

it("a frame of a PNG is a PNG", () => {
  const animation = moving(...(KINDS[1] as (typeof KINDS)[0]));
  files(animation).forEach((file, nth) => {
    const view = new DataView(file.buffer);
    const names: string[] = [];
    for (let at = 8; at < file.length; at += view.getUint32(at) + 12) {
      const end = at + 8 + view.getUint32(at);
      names.push(String.fromCharCode(...file.slice(at + 4, at + 8)));
      expect(view.getUint32(end)).toBe(crc32(file.slice(at + 4, end)));
    }
    expect([names[0], names.at(-1)]).toEqual(["IHDR", "IEND"]);
    expect(names.slice(1, -1).every((name) => name === "IDAT")).toBe(true);
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([animation.frames[nth]?.width, animation.frames[nth]?.height]);
  });
});

it("a frame of a WebP is a WebP", () => {
  for (const file of files(moving(...(KINDS[2] as (typeof KINDS)[0])))) {
    expect(new DataView(file.buffer).getUint32(4, true)).toBe(file.length - 8);
    expect(isAnimatedWebp(file)).toBe(false);
    expect(String.fromCharCode(...file.slice(30, 34))).toBe("VP8L");
  }
});

it("an animation is recognized by its start", () => {
  expect(isAnimatedPng(fixture("animated/b-moving.png").slice(0, 100))).toBe(true);
  expect(isAnimatedWebp(fixture("animated/c-moving.webp").slice(0, 30))).toBe(true);
  expect(isAnimatedPng(new Uint8Array(99))).toBe(false);
});

it("hardly visible frames last as in browsers", () => {
  expect([0, 10, 11, 40].map(frameDuration)).toEqual([100, 100, 11, 40]);
});

it("an animation has limits", () => {
  const animation = moving(...(KINDS[0] as (typeof KINDS)[0]));
  expect(withinLimits({ ...animation, width: 60_000, height: 60_000 })).toBeNull();
  expect(withinLimits({ ...animation, frames: animation.frames.slice(0, 1) })).toBeNull();
  expect(withinLimits({ ...animation, frames: Array.from({ length: 10_001 }, () => animation.frames[0] as never) })).toBeNull();
});

describe("the loops of a GIF", () => {
  const bytes = fixture("animated/a-moving.gif");
  const at = Buffer.from(bytes).indexOf("NETSCAPE2.0");

  it("follow the first play", () => {
    const twice = bytes.slice();
    twice[at + 13] = 2;
    expect(readGif(twice)?.plays).toBe(3);
  });

  it("are none without an extension", () => {
    const without = new Uint8Array([...bytes.slice(0, at - 3), ...bytes.slice(at + 16)]);
    expect(readGif(without)).toMatchObject({ plays: 1, frames: { length: 3 } });
  });
});

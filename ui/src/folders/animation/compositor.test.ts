import { describe, expect, it, vi } from "vitest";
import type { Animation, AnimationFrame, Disposal } from "./animation";
import { Compositor, type Surface } from "./compositor";

/** A row of letters; a dot is transparent. */
class Row implements Surface<string> {
  constructor(public letters: string) {}

  clear(x: number, _y: number, width: number): void {
    this.draw(".".repeat(width), x, true);
  }

  draw(image: string, x: number, replaces: unknown): void {
    const isOver = replaces !== true;
    this.letters = [...this.letters].map((letter, at) => (isOver && image[at - x] === "." ? letter : (image[at - x] ?? letter))).join("");
  }

  copy(): Row {
    return new Row(this.letters);
  }

  paste(other: Row): void {
    this.letters = other.letters;
  }
}

/** A frame, whose file is its letters. */
const frame = (letters: string, x: number, disposal: Disposal = "keep", isBlended = true) => ({ letters, x, y: 0, width: letters.length, height: 1, duration: 100, disposal, isBlended, file: () => [] });

function compositor(frames: AnimationFrame[], maxKept?: number) {
  const row = new Row("....");
  const decode = vi.fn((one: AnimationFrame) => Promise.resolve((one as ReturnType<typeof frame>).letters));
  const animation: Animation = { type: "", width: 4, height: 1, frames, plays: 0 };
  const made = new Compositor(animation, row, decode, maxKept);
  const show = async (index: number) => {
    await made.show(index);
    return row.letters;
  };
  return { show, decode };
}

async function all(frames: AnimationFrame[]) {
  const { show } = compositor(frames);
  const shown: string[] = [];
  for (const index of frames.keys()) shown.push(await show(index));
  return shown;
}

describe("a frame", () => {
  it("is drawn over the one before", async () => {
    expect(await all([frame("aaaa", 0), frame("b.b", 1)])).toEqual(["aaaa", "abab"]);
  });

  it("replaces what is there", async () => {
    expect(await all([frame("aaaa", 0), frame("b.b", 1, "keep", false)])).toEqual(["aaaa", "ab.b"]);
  });

  it("is cleared before the next one", async () => {
    expect(await all([frame("aaaa", 0), frame("bb", 1, "clear"), frame("c", 3)])).toEqual(["aaaa", "abba", "a..c"]);
  });

  it("restores what it covered", async () => {
    expect(await all([frame("aaaa", 0), frame("bb", 1, "restore"), frame("c", 3)])).toEqual(["aaaa", "abba", "aaac"]);
  });
});

it("any frame is reached from any other", async () => {
  const frames = [frame("aaaa", 0), frame("bb", 1, "restore"), frame("c", 3, "clear"), frame("d", 0), frame("e", 1, "keep", false)];
  const expected = await all(frames);
  // As many frames are kept as fit: all, every third one, and none but the first.
  for (const maxKept of [1_000, 30, 1]) {
    const { show } = compositor(frames, maxKept);
    for (const index of [4, 0, 3, 2, 1, 4, 3, 0, 1, 2]) expect(await show(index)).toBe(expected[index]);
  }
});

it("a step to a kept frame decodes nothing", async () => {
  const { show, decode } = compositor([frame("a", 0), frame("b", 1), frame("c", 2)]);
  await show(2);
  decode.mockClear();
  await show(1);
  expect(decode).not.toHaveBeenCalled();
});

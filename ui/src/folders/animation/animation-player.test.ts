import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AnimationPlayer } from "./animation-player.svelte";
import { FramesUnavailable, type LoadedAnimation } from "./load-animation";

const FILE = { url: "/api/image?path=a.gif", framesUrl: () => "", name: "a.gif", size: 100 };

let shown: number[];
let animation: LoadedAnimation;
let player: AnimationPlayer;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  animation = { durations: [100, 200, 300], plays: 0, canvas: document.createElement("canvas"), show: (index) => Promise.resolve(void shown.push(index)) };
  player = new AnimationPlayer(() => Promise.resolve(animation));
});
afterEach(() => vi.useRealTimers());

const pass = (time: number) => vi.advanceTimersByTimeAsync(time);

async function open(isStill = false) {
  const close = player.open(FILE, isStill);
  await pass(0);
  return close;
}

it("each frame has its duration", async () => {
  await open();
  expect([player.canvas, player.index, player.count, player.isPlaying]).toEqual([animation.canvas, 0, 3, true]);
  await pass(99);
  expect(player.index).toBe(0);
  await pass(1);
  expect(player.index).toBe(1);
  await pass(200);
  expect(player.index).toBe(2);
  await pass(300);
  expect(player.index).toBe(0);
  expect(shown).toEqual([0, 1, 2, 0]);
});

it("pauses, and steps around the ends", async () => {
  await open();
  player.toggle();
  await pass(5_000);
  expect([player.isPlaying, player.index]).toEqual([false, 0]);
  player.step(-1);
  player.step(-1);
  player.step(1);
  player.step(1);
  await pass(0);
  expect(shown).toEqual([0, 2, 1, 2, 0]);
  player.toggle();
  player.step(1);
  expect([player.isPlaying, player.index]).toEqual([false, 1]);
});

it("stops after its plays, and starts anew", async () => {
  animation.plays = 2;
  await open();
  await pass(5_000);
  expect([player.isPlaying, player.index]).toEqual([false, 2]);
  expect(shown).toEqual([0, 1, 2, 0, 1, 2]);
  player.toggle();
  await pass(0);
  expect([player.isPlaying, player.index]).toEqual([true, 0]);
});

it("stands still if motion is reduced", async () => {
  await open(true);
  await pass(5_000);
  expect([player.isPlaying, player.index]).toEqual([false, 0]);
});

it("another picture ends it", async () => {
  const close = await open();
  close();
  await pass(5_000);
  expect([player.canvas, player.isPlaying, shown]).toEqual([null, false, [0]]);
  player.step(1);
  player.toggle();
  expect([player.index, player.isPlaying]).toEqual([0, false]);
});

it("a damaged frame leaves it to the engine", async () => {
  await open();
  animation.show = () => Promise.reject(new Error("damaged"));
  await pass(100);
  expect([player.canvas, player.isPlaying]).toEqual([null, false]);
});

it("a still picture has no frames", async () => {
  player = new AnimationPlayer(() => Promise.resolve(null));
  await open();
  expect([player.canvas, player.count, player.isPlaying]).toEqual([null, 0, false]);
});

it("frames that can't be decoded alone are reported", async () => {
  player = new AnimationPlayer(() => Promise.reject(new FramesUnavailable()));
  const close = await open();
  expect([player.canvas, player.isUnavailable]).toEqual([null, true]);
  close();
  expect(player.isUnavailable).toBe(false);
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { NameExplainer } from "./name-explainer.svelte";

let backend: FakeBackend;
let explainer: NameExplainer;

beforeEach(() => {
  vi.useFakeTimers();
  backend = new FakeBackend();
  explainer = new NameExplainer(backend.hashes, () => "own");
});

afterEach(() => vi.useRealTimers());

it("asks once per typing pause", async () => {
  for (const typed of ["/", "/a", "/ab"]) explainer.type(typed);
  await vi.advanceTimersByTimeAsync(1_000);
  explainer.type("~ab");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(backend.hashes.explain.mock.calls.map(([of]) => of)).toEqual([
    { dir: "own", path: "/ab" },
    { dir: "own", name: "~ab" },
  ]);
});

it("an error replaces the explanation until another text", async () => {
  explainer.type("/a");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(explainer.explanation?.name).toBe("~a");
  backend.fault = "malformed_name";
  explainer.type("~a#");
  await vi.advanceTimersByTimeAsync(1_000);
  expect([explainer.explanation, explainer.failure !== null]).toEqual([null, true]);
  explainer.type("");
  expect(explainer.failure).toBeNull();
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FakeHashes } from "../../testing/fake-hashes";
import { NameExplainer } from "./name-explainer.svelte";

let api: FakeHashes;
let explainer: NameExplainer;

beforeEach(() => {
  vi.useFakeTimers();
  api = new FakeHashes();
  explainer = new NameExplainer(api, () => "own");
});

afterEach(() => vi.useRealTimers());

it("asks once per typing pause, for a path or a name", async () => {
  for (const typed of ["/", "/a", "/ab"]) explainer.type(typed);
  await vi.advanceTimersByTimeAsync(1_000);
  explainer.type("~ab");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(api.explain.mock.calls.map(([of]) => of)).toEqual([
    { dir: "own", path: "/ab" },
    { dir: "own", name: "~ab" },
  ]);
});

it("an error replaces the explanation until the text changes", async () => {
  explainer.type("/a");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(explainer.explanation?.name).toBe("~a");
  api.fault = "malformed_name";
  explainer.type("~a#");
  await vi.advanceTimersByTimeAsync(1_000);
  expect([explainer.explanation, explainer.failure !== null]).toEqual([null, true]);
  explainer.type("");
  expect(explainer.failure).toBeNull();
});

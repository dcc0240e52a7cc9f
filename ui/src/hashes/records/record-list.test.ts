import { flushSync } from "svelte";
import { beforeEach, expect, it } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { hashItem } from "../../testing/hash-records";
import { NO_FILTER, PIECE, RecordList } from "./record-list.svelte";

let backend: FakeBackend;
let list: RecordList;

beforeEach(() => {
  backend = new FakeBackend();
  list = new RecordList(backend.hashes);
});

const settle = () => new Promise((resolve) => setTimeout(resolve));

it("reads the first chunk, others once when visible", async () => {
  backend.hashRecords.items = Array.from({ length: 250 }, (_, at) => hashItem(`/a/${at}`));
  await list.show("own", NO_FILTER);
  expect([list.page?.matching, list.at(99)?.path, list.at(100)]).toEqual([250, "/a/99", undefined]);
  list.need(190, 220);
  list.need(195, 230);
  await settle();
  expect([list.at(199)?.path, list.at(249)?.path]).toEqual(["/a/199", "/a/249"]);
  expect(backend.hashes.list.mock.calls.map(([query]) => query?.offset)).toEqual([0, PIECE, 2 * PIECE]);
});

it("requests no chunk past the end", async () => {
  backend.hashRecords.items = [hashItem("/a")];
  await list.show("own", NO_FILTER);
  list.need(0, 500);
  expect(backend.hashes.list).toHaveBeenCalledTimes(1);
});

it("keeps shown records until the filtered ones arrive", async () => {
  backend.hashRecords.items = [hashItem("/a"), hashItem("/b", { state: "corrupt" })];
  await list.show("own", NO_FILTER);
  const showing = list.show("own", { ...NO_FILTER, state: "corrupt" });
  expect(list.at(0)?.path).toBe("/a");
  await showing;
  expect([list.at(0)?.path, list.page?.matching, list.page?.total]).toEqual(["/b", 1, 2]);
});

it("shows the answer to the latest filter only", async () => {
  backend.hashRecords.items = [hashItem("/a"), hashItem("/b")];
  const former = list.show("own", { ...NO_FILTER, q: "a" });
  await list.show("own", { ...NO_FILTER, q: "b" });
  await former;
  expect(list.at(0)?.path).toBe("/b");
});

it("drops the counts of another hash folder", async () => {
  await list.show("own", NO_FILTER);
  backend.fault = "unsafe_folder";
  await list.show("G1", NO_FILTER);
  expect([list.page, list.failure !== null]).toEqual([null, true]);
  backend.fault = null;
  await list.reload();
  expect(list.failure).toBeNull();
});

it("retries a failed chunk", async () => {
  backend.hashRecords.items = Array.from({ length: 150 }, (_, at) => hashItem(`/a/${at}`));
  await list.show("own", NO_FILTER);
  backend.fault = "unreachable";
  list.need(100, 110);
  await settle();
  backend.fault = null;
  list.need(100, 110);
  await settle();
  flushSync();
  expect(list.at(149)?.path).toBe("/a/149");
});

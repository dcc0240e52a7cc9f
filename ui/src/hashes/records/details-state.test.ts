import { expect, it } from "vitest";
import type { HashFinding } from "../../api/hashes";
import { FakeBackend } from "../../testing/fake-backend";
import { hashItem } from "../../testing/hash-records";
import { StubHost } from "../../testing/stub-host";
import { DetailsState } from "./details-state.svelte";

const finding = (path: string): HashFinding => ({ path, state: "corrupt", expected: null, actual: null, size: null, mtime: null, to: null, files: null, reason: null });

function opening() {
  const backend = new FakeBackend();
  backend.hashRecords.items = [hashItem("/a"), hashItem("/b")];
  const host = new StubHost();
  return { backend, host, details: new DetailsState(backend.hashes, host) };
}

it("shows no record before that of the finding", async () => {
  const { details } = opening();
  details.show(hashItem("/b"), "own");
  const reading = details.read(finding("/a"), "G1");
  expect([details.isOpen, details.item, details.dir]).toEqual([true, null, "G1"]);
  await reading;
  expect([details.finding?.path, details.item?.path]).toEqual(["/a", "/a"]);
});

it("shows only the record of the latest finding", async () => {
  const { details } = opening();
  const former = details.read(finding("/a"), "own");
  await details.read(finding("/b"), "own");
  await former;
  expect(details.item?.path).toBe("/b");
});

it("reports a finding without record, and closes", async () => {
  const { details, host } = opening();
  await details.read(finding("/gone"), "own");
  expect([details.isOpen, host.toasts]).toEqual([false, ["There is no hash record of this file."]]);
});

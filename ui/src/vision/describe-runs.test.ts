import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry, Job } from "../api/backend";
import { ApiError } from "../api/errors";
import { encodePath } from "../api/names";
import type { ScanMode } from "../api/vision";
import { setLocale } from "../i18n";
import type { ShownJob } from "../jobs";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import { DescribeRuns } from "./describe-runs";
import { outcomeOf } from "./outcome";

let fake: FakeBackend;
let host: StubHost;
let runs: DescribeRuns;
const begun = vi.fn(() => Promise.resolve());
const look = vi.fn();

beforeEach(() => {
  setLocale("en");
  fake = new FakeBackend();
  host = new StubHost();
  runs = new DescribeRuns(fake, host, begun);
});

const picture = (name: string, tags: string[] | null = null, caption: string | null = null) => ({ name, kind: "picture", tags, caption }) as FolderEntry;

function endedJob(changes: Partial<Job> = {}, result: object = {}): ShownJob {
  const outcome = { described: 2, cached: 0, failed: 0, failures: [], ...result };
  const job = { id: "J1", kind: "describe_pictures", state: "done", done: 2, total: 2, started_at: "2026-11-01T00:00:00Z" };
  return { ...job, result: outcome, ...changes } as unknown as ShownJob;
}

async function begin(mode: ScanMode): Promise<void> {
  await runs.begin({ root: "R1", paths: [encodePath("a.jpg"), encodePath("b.jpg")], mode });
}

it("runs in the window's language, reporting counts", async () => {
  await begin("text");
  expect(fake.vision.describe).toHaveBeenCalledWith("R1", ["a.jpg", "b.jpg"], "text", "en");
  expect(begun).toHaveBeenCalledWith("J1");
  runs.ended(endedJob({}, { described: 1, failed: 1 }), look);
  // The message about the start stays no longer than the job.
  expect(host.open.map(({ message }) => message)).toEqual(["Described 1 picture. 1 picture failed."]);
  await host.open[0]?.options.action?.run();
  expect(look).toHaveBeenCalled();
});

it("adds found tags; undo removes only those", async () => {
  fake.entries = [picture("a.jpg", ["mine", "cat"]), picture("b.jpg")];
  fake.describer.answer = { tags: ["cat", "wall"], cached: true };
  await begin("tags");
  runs.ended(endedJob(), look);
  const offer = host.open[0]?.options.action;
  expect(offer?.label).toBe("Add tags to 2 pictures");
  await offer?.run();
  expect(fake.entries.map(({ tags }) => tags)).toEqual([["mine", "cat", "wall"], ["cat", "wall"]]);
  expect(host.toasts.at(-1)).toBe("Added tags to 2 pictures.");
  await host.open.at(-1)?.options.undo?.();
  expect(fake.entries.map(({ tags }) => tags)).toEqual([["mine", "cat"], null]);
});

it("adds missing captions; undo removes only those", async () => {
  fake.entries = [picture("a.jpg", null, "mine"), picture("b.jpg")];
  fake.describer.answer = { description: "A cat.", cached: true };
  await begin("describe");
  runs.ended(endedJob(), look);
  const offer = host.open[0]?.options.action;
  expect(offer?.label).toBe("Save captions of 2 pictures");
  await offer?.run();
  expect(fake.entries.map(({ caption }) => caption)).toEqual(["mine", "A cat."]);
  expect(host.toasts.at(-1)).toBe("Saved the caption of 1 picture. 1 picture keeps the caption that it had.");
  await host.open.at(-1)?.options.undo?.();
  expect(fake.entries.map(({ caption }) => caption)).toEqual(["mine", null]);
});

it("failed pictures are not requested again", async () => {
  fake.entries = [picture("a.jpg"), picture("b.jpg")];
  fake.describer.answer = { tags: ["cat"], cached: true };
  await begin("tags");
  runs.ended(endedJob({}, { described: 1, failed: 1, failures: [{ path: "a.jpg", error: { code: "vision_refused", message: "" } }] }), look);
  await host.open[0]?.options.action?.run();
  expect(fake.vision.scan.mock.calls.map(([place]) => place)).toEqual([{ root: "R1", path: "b.jpg" }]);
});

it("counts pictures whose tags can't be saved", async () => {
  fake.describer.answer = new ApiError("rate_limited", 429, "");
  await begin("tags");
  runs.ended(endedJob(), look);
  await host.open[0]?.options.action?.run();
  expect(host.toasts.at(-1)).toBe("Added tags to 0 pictures. 2 pictures failed.");
});

it("pictures that are left out are mentioned", async () => {
  await runs.begin({ root: "R1", paths: [encodePath("a.jpg")], mode: "text", omitted: 1 });
  expect(host.toasts).toEqual(["Pictures are being described in the background. 1 picture is left out because its name isn’t readable text."]);
});

it("a failed job explains itself, a cancelled doesn't", () => {
  const error = { code: "daily_limit_reached", message: "" } as Job["error"];
  runs.ended(endedJob({ state: "failed", error }), look);
  runs.ended(endedJob({ state: "cancelled" }), look);
  expect(host.toasts).toEqual(["Description of pictures failed. Today’s requests are used up. Try again tomorrow."]);
});

it("the settings show the outcome of a job", () => {
  const failures = [{ path: "a.jpg", error: { code: "vision_refused", message: "" } }];
  expect(outcomeOf(endedJob({}, { described: 3, cached: 2, failed: 1, failures }), host)).toEqual({
    tone: "warn",
    lines: ["Described 3 pictures.", "2 of them were answered before.", "1 picture failed."],
    details: ["a.jpg: The service refused to describe this picture."],
  });
});

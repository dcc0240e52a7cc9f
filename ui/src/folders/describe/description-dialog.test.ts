// Descriptions of pictures in a folder: by a key, in the dialog, or by a job.
import { screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { canonicalPath, type EncodedPath } from "../../api/names";
import { FakeBackend } from "../../testing/fake-backend";
import { openPictures, placeOf } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import type { DescribeRun } from "../../vision";
import { sessionMemory } from "../session/session-memory";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, ...more });

let backend: FakeBackend;
let host: StubHost;
let ondescribe: ReturnType<typeof vi.fn<(run: DescribeRun) => Promise<void>>>;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("a.jpg", { tags: ["mine"] }), entry("b.jpg")];
  backend.describer.configure("http://localhost:11434/v1");
  host = new StubHost();
  ondescribe = vi.fn<(run: DescribeRun) => Promise<void>>(() => Promise.resolve());
  sessionMemory.saveFocus({ root: "R1", path: canonicalPath(""), query: { sort: "name", order: "asc" } }, 0);
});

async function open(address = "/pictures/R1/"): Promise<void> {
  openPictures({ place: placeOf(address), backend, host, ondescribe });
  await screen.findAllByTestId("cell");
}

it("adds tags to the focused picture's", async () => {
  backend.describer.answer = { tags: ["mine", "cat"] };
  await open();
  await waitFor(() => expect((document.activeElement as HTMLElement).dataset["name"]).toBe("a.jpg"));
  await host.act("describe");
  expect(await screen.findByRole("dialog", { name: "Describe “a.jpg”" })).toBeDefined();
  await userEvent.click(await screen.findByTestId("describe-mode-tags"));
  await userEvent.click(screen.getByTestId("describe-run"));
  await userEvent.click(await screen.findByTestId("describe-add-tags"));
  await waitFor(() => expect(backend.entries[0]?.tags).toEqual(["mine", "cat"]));
  expect(screen.getByText("The picture has all these tags.")).toBeDefined();
});

it("a caption is saved and can be undone", async () => {
  await open("/pictures/R1/?view=b.jpg");
  await host.act("describe");
  await userEvent.click(await screen.findByTestId("describe-mode-describe"));
  await userEvent.click(screen.getByTestId("describe-run"));
  await userEvent.click(await screen.findByTestId("describe-save-caption"));
  expect((await screen.findByTestId("describe-caption-kept")).textContent).toBe("This is the caption of the picture.");
  expect(backend.entries.map(({ caption }) => caption ?? null)).toEqual([null, "A cat on a wall."]);
  await host.undos[0]?.run();
  await waitFor(() => expect(backend.entries[1]?.caption).toBeNull());
});

it("a job describes several, except unreadable names", async () => {
  backend.entries = [...backend.entries, entry("\ufffd.jpg", { name_bytes: "/y5qcGc=" })];
  await open();
  await host.press("Mod+a");
  await host.act("describe");
  await userEvent.click(await screen.findByTestId("describe-mode-describe"));
  await userEvent.click(screen.getByTestId("describe-run"));
  await waitFor(() => expect(ondescribe).toHaveBeenCalledWith({ root: "R1", paths: ["a.jpg", "b.jpg"] as EncodedPath[], mode: "describe", omitted: 1 }));
  await waitFor(() => expect(screen.queryByTestId("describe-dialog")).toBeNull());
});

it("describes pictures only", async () => {
  backend.entries = [entry("notes.txt", { kind: "other" })];
  await open();
  await host.act("describe");
  await waitFor(() => expect(host.toasts).toEqual(["Only pictures can be described."]));
});

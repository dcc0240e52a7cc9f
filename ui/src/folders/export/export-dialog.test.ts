// The export of pictures, from the menu to the message.
import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FolderEntry } from "../../api/backend";
import { ApiError } from "../../api/errors";
import { canonicalPath } from "../../api/names";
import { FakeBackend, fakeDesktop } from "../../testing/fake-backend";
import { openPictures } from "../../testing/pictures-view";
import { StubHost } from "../../testing/stub-host";
import { sessionMemory } from "../session/session-memory";

const entry = (name: string, more: Partial<FolderEntry> = {}): FolderEntry => ({ name, kind: "picture", size: 1_000, mtime: "2026-11-20T00:00:00Z", id: `id-${name}`, ...more });

let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  backend = new FakeBackend();
  backend.rootsNow = [{ id: "R1", name: "Photos", path: "/photos", available: true }];
  backend.entries = [entry("a.png"), entry("b.png"), entry("film.mp4", { video: true })];
  host = new StubHost();
  sessionMemory.saveFocus({ root: "R1", path: canonicalPath(""), query: { sort: "name", order: "asc" } }, 0);
});

type Props = Partial<Parameters<typeof openPictures>[0]>;

async function open(props: Props = {}) {
  openPictures({ place: { root: "R1", path: canonicalPath(""), view: null }, backend, host, ...props });
  await screen.findAllByTestId("cell");
}

async function openDialog(props: Props = {}) {
  await open(props);
  await host.press("Mod+a");
  await host.act("export-pictures");
  return screen.findByTestId("export-dialog");
}

const field = (id: string) => screen.getByTestId<HTMLInputElement>(id);
const sent = () => backend.files.exportPictures.mock.calls.map(([items, to, options]) => [items.map(({ path }) => path), to.path, options]);
const isReady = () => !screen.getByTestId<HTMLButtonElement>("export-do").disabled;

describe("an export", () => {
  it("sends the chosen options and reports", async () => {
    const dialog = await openDialog();
    expect(dialog.textContent).toContain("Export 2 pictures");
    await fireEvent.click(field("export-format-webp_lossless"));
    expect(screen.queryByTestId("export-quality")).toBeNull();
    await fireEvent.input(field("export-edge"), { target: { value: "1600" } });
    await fireEvent.click(field("export-sharpen"));
    await fireEvent.click(field("export-metadata-without_place"));
    await fireEvent.input(field("export-pattern"), { target: { value: "trip {number}" } });
    expect(screen.getByTestId("export-example").textContent).toBe("trip 1.webp");
    field("export-pattern").focus();
    await userEvent.keyboard("{Enter}");
    const options = { format: "webp_lossless", edge: 1600, quality: 90, sharpen: true, metadata: "without_place", pattern: "trip {number}", numbered: true };
    await waitFor(() => expect(sent()).toEqual([[["a.png", "b.png"], "", options]]));
    await waitFor(() => expect(host.toasts).toEqual(["Exported 2 pictures to “Photos”"]));
    expect(screen.queryByTestId("export-dialog")).toBeNull();
    // The next export begins with the same options.
    await host.act("export-pictures");
    await screen.findByTestId("export-dialog");
    expect([field("export-edge").value, field("export-format-webp_lossless").checked]).toEqual(["1600", true]);
  });

  it("is refused with invalid values", async () => {
    await openDialog();
    for (const [id, invalid, valid] of [
      ["export-edge", "0", ""],
      ["export-quality", "101", "80"],
      ["export-pattern", "a/b", "{name}"],
    ] as const) {
      await fireEvent.input(field(id), { target: { value: invalid } });
      expect([isReady(), field(id).getAttribute("aria-invalid")]).toEqual([false, "true"]);
      await fireEvent.input(field(id), { target: { value: valid } });
      expect(isReady()).toBe(true);
    }
  });

  it("reports pictures that failed", async () => {
    await openDialog();
    const failed = [{ name: "b.png", error: { code: "picture_undecodable" as const, message: "" } }];
    backend.files.exportPictures.mockResolvedValueOnce({ exported: 1, skipped: 0, failed });
    screen.getByTestId("export-do").click();
    await waitFor(() => expect(host.toasts).toHaveLength(2));
    expect(host.toasts[0]).toBe("Exported 1 picture to “Photos”");
    // The folder is shown already.
    expect(host.open[0]?.options.action).toBeUndefined();
    expect(host.toasts[1]).toMatch(/^Couldn’t export “b.png”: /);
  });

  it("offers to open another folder", async () => {
    backend.rootsNow = [...backend.rootsNow, { id: "R2", name: "Sent", path: "/sent", available: true }];
    const dialog = await openDialog();
    await fireEvent.click(screen.getByTestId("export-choose"));
    await fireEvent.click(await within(dialog).findByRole("treeitem", { name: /Sent/ }));
    expect(screen.getByTestId("export-target").textContent).toBe("Sent");
    screen.getByTestId("export-do").click();
    await waitFor(() => expect(host.toasts).toEqual(["Exported 2 pictures to “Sent”"]));
    await host.open[0]?.options.action?.run();
    expect(host.visited.at(-1)).toBe("/pictures/R2/");
    // The next export goes there, too.
    await host.act("export-pictures");
    expect((await screen.findByTestId("export-target")).textContent).toBe("Sent");
  });

  it("goes to a new folder, or any folder", async () => {
    backend.desktop = fakeDesktop({ pickFolder: () => Promise.resolve({ grant: "G1", name: "usb" }) });
    backend.on("POST /api/roots", ({ body }) => {
      expect(body).toEqual({ grant: "G1" });
      return { id: "R2", name: "usb", path: "/media/usb", available: true };
    });
    await openDialog();
    await fireEvent.click(screen.getByTestId("export-choose"));
    await fireEvent.click(screen.getByTestId("export-other"));
    await waitFor(() => expect(screen.getByTestId("export-target").textContent).toBe("usb"));
    await fireEvent.click(screen.getByTestId("export-new"));
    await userEvent.type(screen.getByTestId("export-new-name"), "out{Enter}");
    await waitFor(() => expect(screen.getByTestId("export-target").textContent).toBe("usb › out"));
    expect(backend.files.exportPictures).not.toHaveBeenCalled();
    screen.getByTestId("export-do").click();
    await waitFor(() => expect(host.toasts).toEqual(["Exported 2 pictures to “out”"]));
    expect(backend.files.exportPictures.mock.calls[0]?.[1]).toMatchObject({ root: "R2", path: "out" });
  });

  it("offers the last destinations", async () => {
    const ontargets = vi.fn();
    await openDialog({ targets: { recent: [{ root: "R1", path: "Sent" }], favourites: [] }, ontargets });
    await fireEvent.click(screen.getByTestId("export-choose"));
    await fireEvent.click(within(screen.getByTestId("export-offered")).getByRole("button", { name: "Sent" }));
    screen.getByTestId("export-do").click();
    await waitFor(() => expect(host.toasts).toEqual(["Exported 2 pictures to “Sent”"]));
    expect(ontargets).toHaveBeenCalledExactlyOnceWith({ recent: [{ root: "R1", path: "Sent" }], favourites: [] });
    expect(screen.queryByTestId("export-other")).toBeNull();
  });

  it("reports pictures that were skipped", async () => {
    await openDialog();
    backend.files.exportPictures.mockResolvedValueOnce({ exported: 1, skipped: 1, failed: [] });
    screen.getByTestId("export-do").click();
    await waitFor(() => expect(host.toasts).toEqual(["Exported 1 of 2 pictures to “Photos”"]));
  });

  it("reports a full disk", async () => {
    await openDialog();
    backend.files.exportPictures.mockRejectedValueOnce(new ApiError("disk_full", 507, ""));
    screen.getByTestId("export-do").click();
    await waitFor(() => expect(host.toasts).toHaveLength(1));
  });
});

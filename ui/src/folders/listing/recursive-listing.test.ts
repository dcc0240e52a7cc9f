// Everything below a folder, grouped by folder, in the view.
import { screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FolderEntry } from "../../api/backend";
import type { FakeBackend } from "../../testing/fake-backend";
import { FolderVisit } from "../../testing/folder-visit";
import type { StubHost } from "../../testing/stub-host";

const picture = (name: string, folder: string | null = null): FolderEntry => ({
  name,
  ...(folder === null ? {} : { folder }),
  kind: "picture",
  size: 1_000,
  mtime: "2026-01-01T00:00:00Z",
  id: `id-${folder ?? ""}-${name}`,
});

let visit: FolderVisit;
let backend: FakeBackend;
let host: StubHost;

beforeEach(() => {
  const trips: FolderEntry = { ...picture("trips"), kind: "folder" };
  visit = new FolderVisit([trips, picture("a.jpg"), picture("a.jpg", "trips"), picture("b.jpg", "trips"), picture("a.jpg", "trips/旅")], "rating");
  ({ backend, host } = visit);
});

async function open(at: string) {
  await visit.open(at);
  await screen.findAllByTestId("cell");
}

const groups = () =>
  screen.queryAllByRole("rowgroup").map((group) => {
    const cells = [...group.querySelectorAll<HTMLElement>("[data-testid=cell]")];
    return [within(group).getByRole("rowheader").textContent.trim(), cells.map((cell) => cell.dataset["name"])];
  });

const EXPECTED = [
  ["This folder 1 picture", ["a.jpg"]],
  ["trips 2 pictures", ["a.jpg", "b.jpg"]],
  ["trips › 旅 1 picture", ["a.jpg"]],
];

it("shows groups that link to their folders", async () => {
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  const links = screen.getAllByTestId("group-heading").map((heading) => within(heading).queryByRole("link")?.getAttribute("href"));
  expect(links).toEqual([undefined, "/pictures/R1/trips", "/pictures/R1/trips/%E6%97%85"]);
  expect(backend.folders.watch.mock.lastCall).toMatchObject(["R1", "", { beneath: true }]);
});

it("is chosen for one folder only", async () => {
  await open("/pictures/R1/");
  await host.press("g");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  expect(visit.address).toBe("/pictures/R1/?group=folder");
  await userEvent.selectOptions(screen.getByTestId("group"), "day");
  await waitFor(() => expect(visit.address).toBe("/pictures/R1/?group=day"));
  expect(visit.chosen).toEqual(["day"]);
});

it("distinguishes pictures with the same name", async () => {
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  await waitFor(() => expect(document.activeElement?.getAttribute("data-name")).toBe("a.jpg"));
  await userEvent.keyboard("{ArrowRight}");
  expect(host.statusItems[0]?.text).toContain("1 selected");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(visit.address).toBe("/pictures/R1/?view=trips/a.jpg&group=folder"));
  await waitFor(() => expect(host.title).toBe("a.jpg"));
  await host.press("j");
  await waitFor(() => expect(visit.address).toBe("/pictures/R1/?view=trips/b.jpg&group=folder"));
  await host.press("j");
  await waitFor(() => expect(visit.address).toBe("/pictures/R1/?view=trips/%E6%97%85/a.jpg&group=folder"));
  await host.act("files-bin");
  await waitFor(() => expect(backend.files.bin).toHaveBeenCalledWith([{ root: "R1", path: "trips/%E6%97%85/a.jpg" }]));
});

it("opens the folder of the focused picture", async () => {
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  await waitFor(() => expect(document.activeElement?.getAttribute("data-name")).toBe("a.jpg"));
  await host.press("Shift+o");
  expect(visit.address).toBe("/pictures/R1/?group=folder");
  await userEvent.keyboard("{ArrowRight}");
  await host.press("Shift+o");
  expect(visit.address).toBe("/pictures/R1/trips");
});

it("renames in each folder and undoes together", async () => {
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  await host.press("Mod+a");
  await waitFor(() => expect(host.statusItems[0]?.text).toContain("4 selected"));
  await host.act("files-rename");
  const field = await screen.findByTestId("rename-name");
  await userEvent.clear(field);
  await userEvent.type(field, "x-{{n}");
  backend.files.rename.mockImplementation(({ path }) => Promise.resolve({ operation: `op-${path}`, done: 1, skipped: 0, failed: [] }));
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(backend.files.rename).toHaveBeenCalledTimes(3));
  const requests = backend.files.rename.mock.calls.map(([folder, names]) => [folder.path, names.map(({ to }) => to)]);
  expect(requests).toEqual([
    ["", ["x-1.jpg"]],
    ["trips", ["x-2.jpg", "x-3.jpg"]],
    ["trips/%E6%97%85", ["x-4.jpg"]],
  ]);
  await waitFor(() => expect(host.toasts).toEqual(["Renamed 3 files"]));
  await host.open.at(-1)?.options.undo?.();
  expect(backend.files.undo.mock.calls.map(([id]) => id)).toEqual(["op-trips/%E6%97%85", "op-trips", "op-"]);
});

it("opens a group by mouse without rubber band", async () => {
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  const [cell] = screen.getAllByTestId("cell");
  if (cell) await userEvent.click(cell);
  await waitFor(() => expect(host.statusItems[0]?.text).toContain("1 selected"));
  const heading = screen.getAllByTestId("group-heading")[1] as HTMLElement;
  const press = (element: HTMLElement) => {
    element.dispatchEvent(new MouseEvent("pointerdown", { bubbles: true, clientX: 40, clientY: 300 }));
    screen.getByTestId("grid").dispatchEvent(new MouseEvent("pointerup", { bubbles: true }));
  };
  press(within(heading).getByRole("link"));
  await userEvent.hover(heading);
  expect(host.statusItems[0]?.text).toContain("1 selected");
  // A press beside the name clears it.
  press(heading);
  await waitFor(() => expect(host.statusItems[0]?.text).not.toContain("selected"));
});

it("reports a picture in the folder itself", async () => {
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  await waitFor(() => expect(document.activeElement?.getAttribute("data-name")).toBe("a.jpg"));
  await host.press("Shift+o");
  expect(host.toasts).toEqual(["This picture is directly in this folder."]);
  await userEvent.selectOptions(screen.getByTestId("group"), "day");
  await waitFor(() => expect(host.named("Shift+o")).toBeUndefined());
  expect(host.named("g")).toBeDefined();
});

it("moves files from subfolders to the folder", async () => {
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  const take = () => screen.getByTestId<HTMLButtonElement>("target-take");
  await waitFor(() => expect(document.activeElement?.getAttribute("data-name")).toBe("a.jpg"));
  await host.act("files-move");
  await screen.findByTestId("target-dialog");
  expect(take().disabled).toBe(true);
  screen.getByTestId("target-dialog").dispatchEvent(new Event("cancel", { cancelable: true }));
  await waitFor(() => expect(screen.queryByTestId("target-dialog")).toBeNull());
  await userEvent.keyboard("{ArrowRight}");
  await host.act("files-move");
  await screen.findByTestId("target-dialog");
  expect(take().disabled).toBe(false);
  await userEvent.click(take());
  await waitFor(() => expect(backend.files.move).toHaveBeenCalledOnce());
  expect(backend.files.move.mock.lastCall?.slice(0, 2)).toMatchObject([[{ root: "R1", path: "trips/a.jpg" }], { root: "R1", path: "" }]);
});

it("offers the tags of all subfolders", async () => {
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(groups()).toEqual(EXPECTED));
  await waitFor(() => expect(document.activeElement?.getAttribute("data-name")).toBe("a.jpg"));
  const lastBeneath = () => backend.files.tags.mock.lastCall?.[1]?.beneath;
  await host.act("marks");
  within(await screen.findByTestId("marks-dialog")).getByTestId("tag-field").focus();
  await waitFor(() => expect(lastBeneath()).toBe(true));
  await userEvent.click(screen.getByTestId("marks-close"));
  backend.files.tags.mockClear();
  await host.navigate("/pictures/R1/?view=trips/a.jpg&group=folder");
  await screen.findByTestId("viewer");
  await host.press("i");
  await host.press("f");
  within(await screen.findByTestId("picture-marks")).getByTestId("tag-field").focus();
  await waitFor(() => expect(lastBeneath()).toBe(true));
  await host.press("i");
});

it("reports the number of omitted folders", async () => {
  backend.on("GET /api/folders", async (_, next) => ({ ...(await next()), left_out: 2 }));
  await open("/pictures/R1/?group=folder");
  await waitFor(() => expect(host.statusItems.map(({ text }) => text)).toContain("2 folders not shown"));
});

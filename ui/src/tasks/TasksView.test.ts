import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import type { TaskItem } from "../api/backend";
import { FakeServer } from "../testing/fake-server";
import { StubHost } from "../testing/stub-host";
import type { Grouping } from "./address";
import { parseTasksAddress, tasksAddress } from "./address";
import TasksView from "./TasksView.svelte";

let server: FakeServer;
let host: StubHost;
let items: TaskItem[];

beforeEach(() => {
  server = new FakeServer();
  host = new StubHost();
  const garden = server.add("/garden", "# Garden\n\n- [ ] water\n- [ ] weed");
  const travel = server.add("/travel", "- [ ] tickets");
  const task = (page: typeof garden, line: number, text: string, due: string | null): TaskItem => ({
    page_id: page.id,
    path: page.path,
    title: page === garden ? "Garden" : null,
    line,
    written: `- [ ] ${text}`,
    text,
    due,
    tags: [],
  });
  items = [task(garden, 2, "water", "2026-11-19"), task(travel, 0, "tickets", "2026-11-20"), task(garden, 3, "weed", null)];
  server.on("GET /api/tasks", ({ query: { offset = "0" } }) => ({ items: items.slice(Number(offset)), total: items.length, tags: [{ tag: "home", tasks: 2 }] }));
});

function open(group: Grouping = "due", tag = "") {
  render(TasksView, { place: { group, tag }, backend: server.backend, host, now: new Date(2026, 10, 20, 9) });
}

const rows = async () => (await screen.findAllByTestId("task-row")).map((row) => row.textContent.replace(/\s+/g, " ").trim());
const tick = async (index: number) => fireEvent.click(within((await screen.findAllByTestId("task-row"))[index] as HTMLElement).getByTestId("task-tick"));

it("groups by due date and marks overdue tasks", async () => {
  open();
  expect(await rows()).toEqual(["Overdue water Overdue: Nov 19, 2026 Garden", "Today tickets travel", "No due date weed Garden"]);
  expect((await screen.findAllByTestId("task-row")).map((row) => row.dataset["overdue"])).toEqual(["", undefined, undefined]);
  expect(host.statusItems.map(({ text }) => text)).toEqual(["3 open tasks"]);
});

it("groups by page", async () => {
  open("page");
  expect((await rows())[1]).toBe("travel tickets Due Nov 20, 2026");
  expect(server.sent("GET /api/tasks")[0]?.query).toMatchObject({ sort: "page" });
});

it("filters by a tag in the address", async () => {
  open();
  await fireEvent.change(await screen.findByTestId("tasks-tag"), { target: { value: "home" } });
  expect(host.visited).toEqual(["/tasks?tag=home"]);
  expect(parseTasksAddress(new URL(tasksAddress({ group: "page", tag: "旅/京都" }), "http://x"))).toEqual({ group: "page", tag: "旅/京都" });
});

it("ticks a task in its page, and back", async () => {
  open();
  await rows();
  const page = server.at("/garden");
  server.on("GET /api/tasks", () => ({ items: items.slice(1), total: 2, tags: [] }));
  await tick(0);
  await vi.waitFor(() => expect(page?.source).toMatchObject({ text: "# Garden\n\n- [x] water\n- [ ] weed", revision: 2 }));
  await vi.waitFor(() => expect(host.toasts).toEqual(["Done: water"]));
  await vi.waitFor(() => expect(screen.getAllByTestId("task-row")).toHaveLength(2));
  await host.open[0]?.options.undo?.();
  expect(page?.source?.text).toContain("- [ ] water");
});

it("finds a task that has moved", async () => {
  open();
  await rows();
  const page = server.at("/garden");
  if (page?.source) page.source.text = "# Garden\n\nnew\n\n- [ ] water\n- [ ] weed";
  await tick(0);
  await vi.waitFor(() => expect(page?.source?.text).toContain("- [x] water"));
});

it("says that a task has changed", async () => {
  open();
  await rows();
  const page = server.at("/garden");
  if (page?.source) page.source.text = "- [ ] water\n- [ ] water";
  await tick(0);
  await vi.waitFor(() => expect(host.toasts[0]).toContain("has changed on its page"));
  expect(page?.source?.revision).toBe(1);
});

it("changes nothing while another user writes", async () => {
  open();
  await rows();
  const page = server.at("/garden");
  await server.backend.locks.acquire(page?.id ?? "");
  await host.press("ArrowDown");
  await host.press("x");
  await vi.waitFor(() => expect(host.toasts[0]).toMatch(/couldn’t be ticked.*Ben/));
  expect(page?.source?.text).toContain("- [ ] water");
});

it("explains an empty list", async () => {
  items = [];
  open("due", "home");
  expect((await screen.findByTestId("tasks-empty")).textContent).toContain("#home");
  await fireEvent.click(screen.getByTestId("tasks-all"));
  expect(host.visited).toEqual(["/tasks"]);
});

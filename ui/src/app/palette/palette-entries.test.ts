// The palette's own entries beside the server's results, in the whole frame.
import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { FakeBackend } from "../../testing/fake-backend";
import { App } from "../app.svelte";
import Frame from "../Frame.svelte";
import { routes } from "../routes";
import { loadHashes } from "../../hashes/view";

let app: App;
let backend: FakeBackend;
let stop = () => {};

// The loading time of the code is not tested.
beforeAll(async () => void (await routes.settings.load?.()));
beforeEach(async () => {
  history.replaceState(null, "", "/settings");
  backend = new FakeBackend();
  app = new App(backend);
  stop = app.start();
  render(Frame, { app, first: { address: "/settings", page: null } });
  await screen.findByTestId("settings");
  app.overlay = "palette";
  await screen.findByTestId("palette");
});
afterEach(() => stop());

const first = () => screen.getAllByTestId("palette-entry")[0]?.querySelector(".label")?.textContent;

it.each(["top", "top page"])("the tree's name finds the top page: %s", async (typed) => {
  await userEvent.keyboard(typed);
  await vi.waitFor(() => expect(first()).toBe("Top page"));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(location.pathname).toBe("/wiki/"));
});

it("a hash record command opens its dialog", async () => {
  await loadHashes();
  await userEvent.keyboard("record a");
  await vi.waitFor(() => expect(first()).toBe("Record a folder…"));
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(location.pathname).toBe("/hashes"));
  expect((await screen.findByTestId("record-dialog")).textContent).toContain("Record a folder");
});

it("offers near words, and searches for them", async () => {
  const nothing = { items: [], total: 0, exact: true, pending: 0 };
  backend.search.find.mockImplementation((kind, query) => Promise.resolve({ ...nothing, suggestion: kind === "page" && query === "kyotto" ? "kyoto" : null } as never));
  await userEvent.keyboard("kyotto");
  await vi.waitFor(() => expect(screen.getAllByTestId("palette-entry").map((entry) => entry.textContent.trim())).toContain("Did you mean kyoto?"));
  await userEvent.click(screen.getByText("Did you mean kyoto?"));
  expect(screen.getByTestId<HTMLInputElement>("palette-input").value).toBe("kyoto");
});

it("a never visited folder is found and opened", async () => {
  backend.rootsNow = [{ id: "R1", name: "Pictures", path: "/home/aya/Pictures", available: true }];
  backend.search.folders.mockResolvedValue([{ root: "R1", path: "2024/京都", pictures: 12 }]);
  await userEvent.keyboard("京都");
  await vi.waitFor(() => expect(first()).toBe("京都"));
  expect(screen.getByText("Folders", { selector: ".group" })).toBeTruthy();
  expect(backend.search.folders).toHaveBeenLastCalledWith("京都", expect.anything());
  const navigate = vi.spyOn(app.router, "navigate").mockResolvedValue(true);
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(navigate).toHaveBeenCalledWith(`/pictures/R1/${encodeURI("2024/京都")}`));
});

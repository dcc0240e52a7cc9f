import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { FakeServer } from "../../testing/fake-server";
import { StubHost } from "../../testing/stub-host";
import { WikiView } from "..";
import "./PictureViewer.svelte";

const TEXT = '![Deer|200](asset:deer.jpg "In autumn")\n\n[![Link](asset:link.jpg)](/a) ![](asset:moss.jpg)\n\n![x](https://example.org/x.jpg)';

beforeEach(() => {
  history.replaceState(null, "", "/wiki/p");
  const server = new FakeServer();
  server.add("/p", TEXT);
  render(WikiView, { path: "/p", revision: null, preloaded: null, backend: server.backend, host: new StubHost() });
});

const shown = async () => [(await screen.findByTestId("page-viewer-name")).textContent, screen.getByTestId("page-viewer-position").textContent, screen.queryByTestId("page-viewer-caption")?.textContent];

it("shows a pressed picture, others by keys", async () => {
  await userEvent.click(await screen.findByRole("button", { name: "Enlarge Deer" }));
  expect(await shown()).toEqual(["Deer", "1 of 3", "In autumn"]);
  await userEvent.keyboard("j");
  expect(await shown()).toEqual(["Link", "2 of 3", undefined]);
  await userEvent.keyboard("jjj");
  expect(await shown()).toEqual(["moss.jpg", "3 of 3", undefined]);
  await userEvent.keyboard("k{Home}k");
  expect((await shown())[1]).toBe("1 of 3");
  await userEvent.click(screen.getByTestId("page-viewer-close"));
  expect(screen.queryByTestId("page-viewer")).toBeNull();
});

it("is opened by Enter", async () => {
  (await screen.findByRole("button", { name: "Enlarge moss.jpg" })).focus();
  await userEvent.keyboard("{Enter}");
  expect((await shown())[1]).toBe("3 of 3");
});

it("reports a picture that can't be loaded", async () => {
  await userEvent.click(await screen.findByRole("button", { name: "Enlarge Deer" }));
  await fireEvent.error(await screen.findByTestId("page-viewer-image"));
  expect(screen.getByRole("alert").textContent).toBe("The picture couldn’t be loaded.");
});

it("leaves pictures that are links alone", async () => {
  await screen.findByRole("button", { name: "Enlarge Deer" });
  expect(screen.getByRole("img", { name: "Link" }).hasAttribute("tabindex")).toBe(false);
});

import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { ApiError } from "../../api/errors";
import { t } from "../../i18n";
import { thumbProps } from "../../testing/thumb-props";
import FilmTile from "./FilmTile.svelte";

const entry = { ...thumbProps.entry, name: "a.mp4", video: true, duration: 754_000 };

it("shows a frame with the duration", () => {
  render(FilmTile, { ...thumbProps, entry });
  expect(screen.getByTestId("thumb").getAttribute("src")).toBe("/thumb/a?ahead");
  expect(screen.getByTestId("video-badge").querySelector("svg")).not.toBeNull();
  expect(screen.getByTestId("video-duration").textContent).toBe("12:34");
});

it("without a frame, says why", async () => {
  const probe = () => Promise.reject(new ApiError("no_video_decoder", 422, ""));
  render(FilmTile, { ...thumbProps, entry, folders: { ...thumbProps.folders, probe } });
  await fireEvent.error(screen.getByTestId("thumb"));
  const film = await screen.findByTestId("film");
  expect(film.textContent).toContain("MP4");
  expect(film.textContent).toContain(t("error.no_video_decoder"));
  expect(screen.getByTestId("video-duration").textContent).toBe("12:34");
  expect(screen.getByTestId("video-badge").querySelector("svg")).toBeNull();
});

it("speaks of a video that can't be decoded", async () => {
  render(FilmTile, { ...thumbProps, entry: { ...entry, state: "undecodable" } });
  expect((await screen.findByTestId("film")).textContent).toContain(t("folders.video_undecodable"));
});

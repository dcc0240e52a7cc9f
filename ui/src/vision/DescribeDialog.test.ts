import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import { encodePath } from "../api/names";
import type { ScanMode } from "../api/vision";
import { setLocale } from "../i18n";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import { DescriptionRequest } from "./description-request.svelte";
import DescribeDialog from "./DescribeDialog.svelte";

const LOCAL = "http://localhost:11434/v1";
const PLACE = { root: "R1", path: encodePath("a.jpg") };

let backend: FakeBackend;
let host: StubHost;
let onaddtags: ReturnType<typeof vi.fn<(tags: string[]) => void>>;
let oncaption: ReturnType<typeof vi.fn<(caption: string) => void>>;
let onclose: ReturnType<typeof vi.fn<() => void>>;

beforeEach(() => {
  backend = new FakeBackend();
  host = new StubHost();
  onaddtags = vi.fn<(tags: string[]) => void>();
  oncaption = vi.fn<(caption: string) => void>();
  onclose = vi.fn<() => void>();
});
afterEach(() => {
  vi.useRealTimers();
  setLocale("en");
});

function open(about: typeof PLACE | ((mode: ScanMode) => Promise<void>) = PLACE, tags: string[] = [], caption: string | null = null): DescriptionRequest {
  const asking = new DescriptionRequest(backend.vision, host, about);
  asking.mode = "describe";
  render(DescribeDialog, { asking, title: "Describe “a.jpg”", thumbUrl: "/thumb/a.jpg", host, tags, caption, onaddtags, oncaption, onclose });
  return asking;
}

const text = (id: string) => screen.getByTestId(id).textContent.replace(/\s+/g, " ").trim();
const press = async (id: string) => userEvent.click(await screen.findByTestId(id));

it("a local service answers at once, for copying", async () => {
  backend.describer.configure(LOCAL);
  open();
  await press("describe-run");
  expect((await screen.findByTestId("answer-text")).textContent).toBe("A cat on a wall.");
  const options = expect.objectContaining({ language: "en" }) as object;
  expect(backend.vision.scan).toHaveBeenCalledWith(PLACE, "describe", options);
  const write = vi.fn(() => Promise.resolve());
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: write } });
  await waitFor(() => expect(document.activeElement?.isSameNode(screen.getByTestId("describe-status"))).toBe(true));
  await userEvent.keyboard("c");
  await waitFor(() => expect(write).toHaveBeenCalledWith("A cat on a wall."));
  await userEvent.keyboard("a");
  await waitFor(() => expect(backend.vision.scan).toHaveBeenLastCalledWith(PLACE, "describe", expect.objectContaining({ again: true })));
});

it("asks for consent once before sending anything elsewhere", async () => {
  backend.describer.configure(null, "gemini");
  open();
  await press("describe-run");
  const texts = (await screen.findAllByTestId("describe-privacy")).map(({ textContent }) => textContent);
  expect(texts).toEqual([
    "Pictures are sent to generativelanguage.googleapis.com, shrunk and without their metadata.",
    "On the free tier, Google may use the pictures, and people may see them.",
  ]);
  expect(backend.vision.scan).not.toHaveBeenCalled();
  await press("describe-send");
  await screen.findByTestId("answer-text");
  expect(backend.describer.stored.agreed_origin).toBe("https://generativelanguage.googleapis.com");
});

it("asks no consent if nothing is sent", async () => {
  backend.describer.configure("https://gpu.example.org/v1");
  open();
  await press("describe-run");
  await press("describe-close");
  expect(onclose).toHaveBeenCalled();
  expect([backend.vision.scan.mock.calls, backend.vision.setSettings.mock.calls]).toEqual([[], []]);
});

it("missing tags can be added", async () => {
  backend.describer.configure(LOCAL);
  backend.describer.answer = { tags: ["cat", "wall", "black/white"] };
  open(PLACE, ["wall"]);
  await press("describe-mode-tags");
  await press("describe-run");
  expect((await screen.findAllByTestId("answer-tag")).map(({ textContent }) => textContent)).toEqual(["cat", "wall", "black/white"]);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("describe-status")));
  await userEvent.keyboard("t");
  // A slash would nest the tag below another one.
  expect(onaddtags).toHaveBeenCalledWith(["cat", "black white"]);
});

it("a description can become a picture's first caption", async () => {
  backend.describer.configure(LOCAL);
  open();
  await press("describe-run");
  await screen.findByTestId("answer-text");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("describe-status")));
  await userEvent.keyboard("p");
  expect(oncaption).toHaveBeenCalledWith("A cat on a wall.");
});

it("does not replace a caption by the user", async () => {
  backend.describer.configure(LOCAL);
  open(PLACE, [], "My cat");
  await press("describe-run");
  expect((await screen.findByTestId("describe-caption-kept")).textContent).toBe("The picture has a caption already, which stays as it is.");
  await userEvent.keyboard("p");
  expect([screen.queryByTestId("describe-save-caption"), oncaption.mock.calls]).toEqual([null, []]);
});

it("objects are outlined on the picture", async () => {
  backend.describer.configure(LOCAL);
  backend.describer.answer = { objects: [{ name: "cat", box: { left: 0.1, top: 0.2, right: 0.6, bottom: 0.7 } }] };
  open();
  await press("describe-mode-objects");
  await press("describe-run");
  const { left, top, width, height } = (await screen.findByTestId("object-box")).style;
  expect([left, top, width, height]).toEqual(["10%", "20%", "50%", "50%"]);
  expect(text("object-name")).toBe("cat");
});

it("waits for a rate limit before a retry", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  backend.describer.configure(LOCAL);
  backend.describer.answer = new ApiError("rate_limited", 429, "", { retryAfter: 2 });
  open();
  await press("describe-run");
  await waitFor(() => expect(text("describe-retry")).toBe("Try again in 2 seconds"));
  expect(screen.getByTestId<HTMLButtonElement>("describe-retry").disabled).toBe(true);
  await vi.advanceTimersByTimeAsync(2_100);
  backend.describer.answer = { description: "A cat." };
  await press("describe-retry");
  expect((await screen.findByTestId("answer-text")).textContent).toBe("A cat.");
});

it("shows the service's error, linked to the settings", async () => {
  backend.describer.configure(LOCAL);
  backend.describer.answer = new ApiError("model_gone", 409, "Our own sentence.", { reason: "model_gone", serviceMessage: "model “x” not found" });
  open();
  await press("describe-run");
  await screen.findByTestId("describe-failed");
  expect(text("describe-status")).toBe(
    "The service no longer offers this model. Choose another one in Settings. The service says: model “x” not found",
  );
  await press("describe-settings");
  expect(host.visited).toEqual(["/settings#describe_pictures"]);
});

it("leads to the settings without a service", async () => {
  open();
  await press("describe-settings");
  expect(host.visited).toEqual(["/settings#describe_pictures"]);
});

it("an OCR command returns text only", async () => {
  backend.describer.configure(null, "command");
  backend.describer.answer = { text: "" };
  open();
  await press("describe-run");
  await waitFor(() => expect(text("describe-answer")).toContain("There is no text in this picture."));
  expect(screen.queryByTestId("describe-mode-describe")).toBeNull();
});

it("starting a job for many closes the dialog", async () => {
  backend.describer.configure(LOCAL);
  const begin = vi.fn<(mode: ScanMode) => Promise<void>>(() => Promise.resolve());
  open(begin);
  await press("describe-mode-tags");
  await press("describe-run");
  await waitFor(() => expect(onclose).toHaveBeenCalled());
  expect(begin).toHaveBeenCalledWith("tags");
});

it("works in Japanese, and is accessible", async () => {
  setLocale("ja");
  backend.describer.configure(LOCAL);
  open();
  await press("describe-run");
  await screen.findByTestId("answer-text");
  expect(text("describe-again")).toBe("もう一度作成");
  const { violations } = await axe.run(screen.getByTestId("describe-dialog"), { rules: { "color-contrast": { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

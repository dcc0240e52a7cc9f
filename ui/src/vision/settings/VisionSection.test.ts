import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Job } from "../../api/backend";
import { setLocale } from "../../i18n";
import { JobWatch } from "../../jobs";
import { FakeBackend } from "../../testing/fake-backend";
import { StubHost } from "../../testing/stub-host";
import { LOCAL_ADDRESS, TESSERACT } from "./setup.svelte";
import VisionSection from "./VisionSection.svelte";

let fake: FakeBackend;
let host: StubHost;

beforeEach(() => {
  fake = new FakeBackend();
  host = new StubHost();
});
afterEach(() => setLocale("en"));

async function open(): Promise<void> {
  const watch = new JobWatch(fake);
  watch.listen();
  render(VisionSection, { backend: fake, watch, host });
  await screen.findByTestId("vision-kind-off");
}

const text = (id: string) => screen.getByTestId(id).textContent.replace(/\s+/g, " ").trim();
const privacy = () => screen.queryAllByTestId("vision-privacy").map(({ textContent }) => textContent);

it("is off by default, suggesting a local service", async () => {
  await open();
  expect([privacy(), screen.queryByTestId("vision-usage")]).toEqual([[], null]);
  await userEvent.click(screen.getByTestId("vision-kind-openai"));
  await waitFor(() => expect(privacy()).toEqual(["Nothing leaves this computer."]));
  expect(screen.getByTestId<HTMLInputElement>("vision-url").value).toBe(LOCAL_ADDRESS);
  expect(text("vision-key-status")).toBe("There is no key. A service on this computer usually needs none.");
});

it("stores an address on leaving, reporting refused ones", async () => {
  fake.describer.configure(LOCAL_ADDRESS);
  await open();
  const field = screen.getByTestId("vision-url");
  await userEvent.clear(field);
  await userEvent.type(field, "https://gpu.example.org/v1");
  await userEvent.tab();
  await waitFor(() => expect(privacy()[0]).toContain("gpu.example.org"));
  await userEvent.clear(field);
  await userEvent.type(field, "nonsense{Enter}");
  expect(await screen.findByText("Couldn’t change this setting. This value can’t be used.")).toBeDefined();
});

it("stores a key in the keyring, never shown", async () => {
  fake.describer.configure(null, "gemini");
  await open();
  const field = screen.getByTestId<HTMLInputElement>("vision-key");
  expect(field.type).toBe("password");
  await userEvent.type(field, "secret{Enter}");
  await waitFor(() => expect(text("vision-key-status")).toBe("The key is in the system’s keyring."));
  expect(fake.vision.setKey).toHaveBeenCalledWith("gemini", "secret");
  expect(screen.getByTestId<HTMLInputElement>("vision-key").value).toBe("");
  await userEvent.click(screen.getByTestId("vision-key-delete"));
  await waitFor(() => expect(text("vision-key-status")).toBe("There is no key yet."));
});

it("without a keyring only the environment has keys", async () => {
  fake.describer.configure(null, "gemini");
  fake.describer.key = "no_keyring";
  await open();
  expect(text("vision-key-status")).toBe("This system has no keyring. Set GEMINI_API_KEY in the environment before you start Fumikura.");
  expect(screen.queryByTestId("vision-key")).toBeNull();
});

it("uses the environment's key only after a press", async () => {
  fake.describer.environmentKeys = ["openai"];
  await open();
  expect(fake.describer.state().configured).toBe(false);
  expect(text("vision-offer-openai")).toContain("OPENAI_API_KEY is set in the environment, perhaps for another program.");
  await userEvent.click(screen.getByTestId("vision-offer-use-openai"));
  await waitFor(() => expect(text("vision-key-status")).toBe("The key is set by the environment."));
  expect(fake.describer.stored).toMatchObject({ dialect: "openai", url: null, key_origin: "https://api.openai.com" });
  await userEvent.click(screen.getByTestId("vision-key-decline"));
  await waitFor(() => expect(text("vision-key-status")).toBe("There is no key yet."));
  await userEvent.click(screen.getByTestId("vision-kind-off"));
  await waitFor(() => expect(fake.describer.stored.dialect).toBeNull());
  expect(screen.queryByTestId("vision-offer-openai")).toBeNull();
});

it("sends the environment's key to no other address", async () => {
  fake.describer.environmentKeys = ["openai"];
  fake.describer.configure("http://gpu.local/v1");
  fake.describer.stored = { ...fake.describer.stored, key_origin: "https://api.openai.com" };
  await open();
  expect(screen.getByTestId("vision-offer-use-openai").textContent.trim()).toBe("Use with gpu.local");
});

it("confirmation replaces a local network service's key", async () => {
  fake.describer.configure("http://gpu.local/v1");
  await open();
  expect(text("vision-problem")).toBe("The service needs a key, and there is none yet.");
  host.confirmAnswer = false;
  await userEvent.click(screen.getByTestId("vision-keyless"));
  expect(host.questions[0]?.title).toBe("Use gpu.local without a key?");
  expect(fake.describer.stored.keyless_origin).toBeNull();
  host.confirmAnswer = true;
  await userEvent.click(screen.getByTestId("vision-keyless"));
  await waitFor(() => expect(text("vision-key-status")).toBe("There is no key. gpu.local is used without one."));
  expect(privacy()[0]).toContain("gpu.local");
});

it("a local service's limits can be set", async () => {
  fake.describer.configure(LOCAL_ADDRESS);
  await open();
  const field = screen.getByTestId("vision-limit-per_minute");
  await userEvent.type(field, "many{Enter}");
  expect(await screen.findByText("Couldn’t change this setting. This value can’t be used.")).toBeDefined();
  await userEvent.clear(field);
  await userEvent.type(field, "600{Enter}");
  await waitFor(() => expect(text("vision-usage-minute")).toBe("This minute: 1 of 600"));
  expect(fake.describer.stored.local_limits).toEqual({ per_minute: 600, daily: 1000 });
  await userEvent.clear(field);
  await userEvent.type(field, "{Enter}");
  await waitFor(() => expect(fake.describer.stored.local_limits).toBeNull());
  await userEvent.click(screen.getByTestId("vision-kind-gemini"));
  await waitFor(() => expect(screen.queryByTestId("vision-limit-daily")).toBeNull());
});

it("a model is chosen from the service's list", async () => {
  fake.describer.configure(LOCAL_ADDRESS);
  fake.describer.modelsNow = [{ id: "qwen", name: "Qwen VL" }, { id: "llava", name: "LLaVA" }];
  await open();
  await userEvent.click(screen.getByTestId("vision-models"));
  await userEvent.selectOptions(await screen.findByTestId("vision-model-list"), "LLaVA");
  await waitFor(() => expect(fake.describer.stored.model).toBe("llava"));
});

it("settings fixed by the environment can't be changed", async () => {
  fake.describer.configure(LOCAL_ADDRESS);
  fake.describer.environment = { dialect: "gemini", model: "m", url: null };
  await open();
  expect(text("vision-fixed")).toBe("Set by the environment or by config.toml. It can’t be changed here.");
  const fixed = ["vision-kind-off", "vision-url", "vision-model"].map((id) => screen.getByTestId<HTMLInputElement>(id).matches(":disabled"));
  expect(fixed).toEqual([true, true, true]);
});

it("a browser offers only the configured services", async () => {
  fake.describer.canSetService = false;
  fake.describer.environmentKeys = ["openai"];
  fake.describer.addresses = { gemini: null, openai: "https://gpu.example.org/v1" };
  const isDisabled = (id: string) => screen.getByTestId(id).matches(":disabled");
  await open();
  expect(text("vision-window-only")).toContain("Programs, addresses and keys are set in Fumikura’s window or in config.toml.");
  expect([isDisabled("vision-kind-command"), isDisabled("vision-offer-use-openai")]).toEqual([true, true]);
  await userEvent.click(screen.getByTestId("vision-kind-openai"));
  await waitFor(() => expect(isDisabled("vision-url")).toBe(true));
  expect(screen.getByTestId<HTMLInputElement>("vision-url").value).toBe("https://gpu.example.org/v1");
  expect([text("vision-key-window"), screen.queryByTestId("vision-key")]).toEqual(["Set in Fumikura’s window or in config.toml.", null]);
  expect(isDisabled("vision-model")).toBe(false);
});

it("a browser can use the configured command", async () => {
  fake.describer.canSetService = false;
  fake.describer.stored = { ...fake.describer.stored, command: [...TESSERACT] };
  setLocale("ja");
  await open();
  await userEvent.click(screen.getByTestId("vision-kind-command"));
  await waitFor(() => expect(screen.getByTestId("vision-command").matches(":disabled")).toBe(true));
  expect(screen.getByText("Fumikura のウィンドウか config.toml で設定します。")).toBeDefined();
  expect(screen.queryByTestId("vision-tesseract")).toBeNull();
});

it("one press sets up tesseract, reporting problems", async () => {
  fake.describer.problem = "tesseract is not installed";
  await open();
  await userEvent.click(screen.getByTestId("vision-kind-command"));
  await userEvent.click(await screen.findByTestId("vision-tesseract"));
  await waitFor(() => expect(fake.describer.stored.command).toEqual(TESSERACT));
  expect(text("vision-problem")).toBe("The service can’t be used: tesseract is not installed");
  fake.describer.problemReason = "invalid_command";
  await userEvent.click(screen.getByTestId("vision-tesseract"));
  await waitFor(() => expect(text("vision-problem")).toBe("The OCR command can’t be used. Check the program and its arguments."));
});

it("shows usage, and why a job waits", async () => {
  fake.describer.configure(null, "gemini");
  fake.describer.usageNow = { ...fake.describer.usageNow, backend: "redis", daily_count: 1200, daily_limit: 5000, minute_count: 20 };
  const job: Job = { id: "J1", kind: "describe_pictures", state: "running", done: 20, total: 40, started_at: "2026-11-01T00:00:00Z" };
  fake.jobsNow = [job];
  await open();
  await screen.findByTestId("job-describe_pictures");
  const texts = ["today", "minute", "backend", "google"].map((id) => text(`vision-usage-${id}`));
  expect(texts).toEqual(["Today: 1,200 of 5,000", "This minute: 20 of 20", "Counted in Redis", "Google’s own day ends at midnight Pacific time."]);
  expect(text("vision-waiting")).toBe("This minute’s requests are used up. The task continues by itself.");
});

it("works in Japanese, and is accessible", async () => {
  setLocale("ja");
  fake.describer.configure(null, "gemini");
  await open();
  expect(privacy()).toEqual([
    "画像は、縮小してメタデータを除いたうえで generativelanguage.googleapis.com に送信します。",
    "無料枠では、Google が画像を利用したり、人が画像を見たりすることがあります。",
  ]);
  expect(text("vision-usage-today")).toBe("今日: 1,000 回中 3 回");
  const { violations } = await axe.run(screen.getByTestId("vision"), { rules: { "color-contrast": { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

import { beforeEach, expect, it } from "vitest";
import { NO_SETTINGS } from "../../testing/describer";
import { FakeBackend } from "../../testing/fake-backend";
import { agree, hostWithoutConsent, privacyWords } from "../privacy";
import { commandOf, commandText, LOCAL_ADDRESS, TESSERACT, VisionSetup } from "./setup.svelte";
import { setLocale, t } from "../../i18n";

let backend: FakeBackend;
let setup: VisionSetup;

beforeEach(() => {
  setLocale("en");
  backend = new FakeBackend();
  setup = new VisionSetup(backend.vision);
});

it("another kind of service resets address and model", async () => {
  backend.describer.configure("http://gpu.local/v1");
  backend.describer.stored = { ...backend.describer.stored, model: "m", agreed_origin: "http://gpu.local", language: "ja" };
  await setup.read();
  await setup.choose("gemini");
  expect(backend.describer.stored).toEqual({ ...NO_SETTINGS, dialect: "gemini", agreed_origin: "http://gpu.local", language: "ja" });
  await setup.choose("openai");
  expect(backend.describer.stored).toMatchObject({ dialect: "openai", url: LOCAL_ADDRESS });
});

it("each kind of service keeps its address", async () => {
  backend.describer.addresses = { gemini: "https://gemini.example", openai: "https://gpu.example/v1" };
  await setup.read();
  await setup.choose("gemini");
  expect(backend.describer.stored.url).toBe("https://gemini.example");
  await setup.choose("command");
  expect(backend.describer.stored.url).toBeNull();
  await setup.choose("openai");
  expect(backend.describer.stored.url).toBe("https://gpu.example/v1");
});

it("a browser suggests no address", async () => {
  backend.describer.canSetService = false;
  await setup.read();
  await setup.choose("openai");
  expect(backend.describer.stored).toMatchObject({ dialect: "openai", url: null });
});

it("refused settings keep the former ones", async () => {
  backend.describer.configure(LOCAL_ADDRESS);
  await setup.read();
  await expect(setup.change({ url: "nonsense" })).rejects.toMatchObject({ code: "invalid_value" });
  expect(setup.state?.effective.url).toBe(LOCAL_ADDRESS);
});

it("values of the environment are fixed", async () => {
  backend.describer.configure(LOCAL_ADDRESS);
  backend.describer.environment = { model: "m" };
  await setup.read();
  expect((["dialect", "url", "model", "command"] as const).filter((one) => setup.isFixed(one))).toEqual(["model"]);
  // A setting that the environment sets is fixed even if the stored settings have the same value.
  backend.describer.environment = { url: LOCAL_ADDRESS };
  await setup.read();
  expect((["dialect", "url"] as const).filter((one) => setup.isFixed(one))).toEqual(["url"]);
});

it("a command is read as it is written", () => {
  for (const command of [[...TESSERACT], ["C:\\my \"ocr\"", "{picture}", ""]]) expect(commandOf(commandText(command))).toEqual(command);
  expect(commandOf("  ")).toBeNull();
});

it("consent is asked once per host", async () => {
  backend.describer.configure("https://gpu.example.org/v1");
  expect(hostWithoutConsent(backend.describer.state())).toBe("gpu.example.org");
  expect(hostWithoutConsent(await agree(backend.vision, backend.describer.state()))).toBeNull();
  backend.describer.stored = { ...backend.describer.stored, url: "https://other.example.org/v1" };
  expect(hostWithoutConsent(backend.describer.state())).toBe("other.example.org");
  backend.describer.configure(LOCAL_ADDRESS);
  expect(hostWithoutConsent(backend.describer.state())).toBeNull();
});

it("lists what leaves the computer, and its destination", () => {
  expect(privacyWords(backend.describer.state(), t)).toEqual([]);
  backend.describer.configure(LOCAL_ADDRESS);
  expect(privacyWords(backend.describer.state(), t)).toEqual(["Nothing leaves this computer."]);
  backend.describer.configure(null, "gemini");
  expect(privacyWords(backend.describer.state(), t)).toEqual([
    "Pictures are sent to generativelanguage.googleapis.com, shrunk and without their metadata.",
    "On the free tier, Google may use the pictures, and people may see them.",
  ]);
});

it("stores a change before it lists models", async () => {
  await setup.read();
  let store = (): void => undefined;
  backend.vision.setSettings.mockImplementationOnce(() => new Promise((resolve) => (store = () => resolve(backend.describer.state()))));
  const both = [setup.change({ url: "http://localhost:1/v1" }), setup.readModels()];
  await Promise.resolve();
  expect(backend.vision.models).not.toHaveBeenCalled();
  store();
  await Promise.all(both);
  expect(backend.vision.models).toHaveBeenCalledOnce();
});

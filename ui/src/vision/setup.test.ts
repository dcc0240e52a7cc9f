import { beforeEach, expect, it } from "vitest";
import { FakeVision, NO_SETTINGS } from "../testing/fake-vision";
import { agree, hostWithoutConsent, privacyWords } from "./privacy";
import { commandOf, commandText, LOCAL_ADDRESS, TESSERACT, VisionSetup } from "./setup.svelte";
import { setLocale, t } from "../i18n";

let api: FakeVision;
let setup: VisionSetup;

beforeEach(() => {
  setLocale("en");
  api = new FakeVision();
  setup = new VisionSetup(api);
});

it("another kind of service resets address and model", async () => {
  api.configure("http://gpu.local/v1");
  api.stored = { ...api.stored, model: "m", agreed_origin: "http://gpu.local", language: "ja" };
  await setup.read();
  await setup.choose("gemini");
  expect(api.stored).toEqual({ ...NO_SETTINGS, dialect: "gemini", agreed_origin: "http://gpu.local", language: "ja" });
  await setup.choose("openai");
  expect(api.stored).toMatchObject({ dialect: "openai", url: LOCAL_ADDRESS });
});

it("each kind of service keeps its address", async () => {
  api.addresses = { gemini: "https://gemini.example", openai: "https://gpu.example/v1" };
  await setup.read();
  await setup.choose("gemini");
  expect(api.stored.url).toBe("https://gemini.example");
  await setup.choose("command");
  expect(api.stored.url).toBeNull();
  await setup.choose("openai");
  expect(api.stored.url).toBe("https://gpu.example/v1");
});

it("a browser suggests no address", async () => {
  api.canSetService = false;
  await setup.read();
  await setup.choose("openai");
  expect(api.stored).toMatchObject({ dialect: "openai", url: null });
});

it("refused settings keep the former ones", async () => {
  api.configure(LOCAL_ADDRESS);
  await setup.read();
  await expect(setup.change({ url: "nonsense" })).rejects.toMatchObject({ code: "invalid_value" });
  expect(setup.state?.effective.url).toBe(LOCAL_ADDRESS);
});

it("values of the environment are fixed", async () => {
  api.configure(LOCAL_ADDRESS);
  api.environment = { model: "m" };
  await setup.read();
  expect((["dialect", "url", "model", "command"] as const).filter((one) => setup.isFixed(one))).toEqual(["model"]);
  // A setting that the environment sets is fixed even if the stored settings have the same value.
  api.environment = { url: LOCAL_ADDRESS };
  await setup.read();
  expect((["dialect", "url"] as const).filter((one) => setup.isFixed(one))).toEqual(["url"]);
});

it("a command is read as it is written", () => {
  for (const command of [[...TESSERACT], ["C:\\my \"ocr\"", "{picture}", ""]]) expect(commandOf(commandText(command))).toEqual(command);
  expect(commandOf("  ")).toBeNull();
});

it("consent is asked once per host", async () => {
  api.configure("https://gpu.example.org/v1");
  expect(hostWithoutConsent(api.state())).toBe("gpu.example.org");
  expect(hostWithoutConsent(await agree(api, api.state()))).toBeNull();
  api.stored = { ...api.stored, url: "https://other.example.org/v1" };
  expect(hostWithoutConsent(api.state())).toBe("other.example.org");
  api.configure(LOCAL_ADDRESS);
  expect(hostWithoutConsent(api.state())).toBeNull();
});

it("lists what leaves the computer, and its destination", () => {
  expect(privacyWords(api.state(), t)).toEqual([]);
  api.configure(LOCAL_ADDRESS);
  expect(privacyWords(api.state(), t)).toEqual(["Nothing leaves this computer."]);
  api.configure(null, "gemini");
  expect(privacyWords(api.state(), t)).toEqual([
    "Pictures are sent to generativelanguage.googleapis.com, shrunk and without their metadata.",
    "On the free tier, Google may use the pictures, and people may see them.",
  ]);
});

it("stores a change before it lists models", async () => {
  await setup.read();
  let store = (): void => undefined;
  api.setSettings.mockImplementationOnce(() => new Promise((resolve) => (store = () => resolve(api.state()))));
  const both = [setup.change({ url: "http://localhost:1/v1" }), setup.readModels()];
  await Promise.resolve();
  expect(api.models).not.toHaveBeenCalled();
  store();
  await Promise.all(both);
  expect(api.models).toHaveBeenCalledOnce();
});

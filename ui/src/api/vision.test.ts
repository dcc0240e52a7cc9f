import { expect, it, vi } from "vitest";
import { encodePath, type EncodedPath } from "./names";
import { isNameable, visionApi } from "./vision";

function recorded(answer: unknown) {
  const send = vi.fn(() => Promise.resolve(new Response(JSON.stringify(answer))));
  return { send, api: visionApi(send) };
}

it("a picture is named by its place or by its id as a page's file", async () => {
  const { send, api } = recorded({ mode: "tags", tags: ["a"] });
  await api.scan({ root: "R", path: encodePath("a b.jpg") }, "tags", { language: "ja", again: true });
  await api.scan({ root: "R", path: "%FF.jpg" as EncodedPath }, "text", { language: "ja" });
  await api.scan({ asset: "A1" }, "describe", { language: "en" });
  const bodies = send.mock.calls.map((call) => (call as unknown as [string, string, { json: unknown }])[2].json);
  expect(bodies).toEqual([
    { root: "R", path: "a b.jpg", mode: "tags", language: "ja", again: true },
    { root: "R", path_bytes: "/y5qcGc=", mode: "text", language: "ja" },
    { asset: "A1", mode: "describe", language: "en" },
  ]);
});

it("a job gets paths as text, and answers with its id", async () => {
  const { send, api } = recorded({ id: "J1" });
  expect(await api.describe("R", [encodePath("é/1.jpg")], "describe", "en")).toBe("J1");
  const json = { root: "R", paths: ["é/1.jpg"], mode: "describe", language: "en" };
  expect(send).toHaveBeenCalledWith("POST", "/api/vision/describe", { json });
  expect(isNameable("%FF.jpg" as EncodedPath)).toBe(false);
});

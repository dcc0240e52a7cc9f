import { expect, it } from "vitest";
import { FakeAssets } from "../../testing/fake-assets";
import { uploadFree } from "./upload";

const CONTENTS = new Blob(["x"]);

it("reports the name of the stored file", async () => {
  const assets = new FakeAssets();
  expect(await uploadFree(assets.backend.assets, "P1", "a.png", CONTENTS)).toBe("a.png");
  expect(await uploadFree(assets.backend.assets, "P1", "a.png", CONTENTS)).toBe("a-2.png");
});

it.each([
  ["か\u3099\n\u202egnp.exe", "が__gnp.exe"],
  ["photo.exe\u200b.jpg", "photo.exe_.jpg"],
  ["a/b\u0000c", "a_b_c"],
])("replaces characters that names can't have: %j", async (wanted, expected) => {
  expect(await uploadFree(new FakeAssets().backend.assets, "P1", wanted, CONTENTS)).toBe(expected);
});

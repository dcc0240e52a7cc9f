import { expect, it, vi } from "vitest";
import type { Asset } from "../api/backend";
import { ApiError, type ApiErrorCode } from "../api/errors";
import { freeName, uploadFree } from "./upload";

const CONTENTS = new Blob(["x"]);

it.each([
  ["a.png", [], "a.png"],
  ["a.png", ["a.png"], "a-2.png"],
  ["a.png", ["a.png", "a-2.png", "a-3.png"], "a-4.png"],
  ["README", ["README"], "README-2"],
  [".env", [".env"], ".env-2"],
  [`${"あ".repeat(83)}.png`, [`${"あ".repeat(83)}.png`], `${"あ".repeat(83)}-2.png`],
  [`${"あ".repeat(85)}`, [`${"あ".repeat(85)}`], `${"あ".repeat(84)}-2`],
])("beside others, %s (%j) becomes %s", (name, taken, expected) => {
  expect(freeName(name, new Set(taken))).toBe(expected);
});

/** A page with files; what comes is refused by `refusals` first. */
function page(names: string[], ...refusals: ApiErrorCode[]) {
  return {
    names,
    list: vi.fn(() => Promise.resolve(names.map((file_name) => ({ file_name }) as Asset))),
    upload: vi.fn((_page: string, name: string) => {
      const refusal = refusals.shift() ?? (names.includes(name) ? "file_name_taken" : null);
      if (refusal !== null) return Promise.reject(new ApiError(refusal, 409, ""));
      names.push(name);
      return Promise.resolve("id");
    }),
  };
}

it("keeps a name that is free, and asks for no list", async () => {
  const assets = page([]);
  expect(await uploadFree(assets, "p", "a.png", CONTENTS)).toBe("a.png");
  expect(assets.list).not.toHaveBeenCalled();
});

it("finds a free name, also when somebody is quicker", async () => {
  expect(await uploadFree(page(["a.png"]), "p", "a.png", CONTENTS)).toBe("a-2.png");
  const contested = page(["a.png"], "file_name_taken", "file_name_taken");
  expect(await uploadFree(contested, "p", "a.png", CONTENTS)).toBe("a-2.png");
});

it("tells why a file can't come, and does not try for ever", async () => {
  await expect(uploadFree(page([], "too_large"), "p", "a.png", CONTENTS)).rejects.toMatchObject({ code: "too_large" });
  const stubborn = page([], ...Array<ApiErrorCode>(9).fill("file_name_taken"));
  await expect(uploadFree(stubborn, "p", "a.png", CONTENTS)).rejects.toMatchObject({ code: "file_name_taken" });
});

it("gives characters that no name may hold another form", async () => {
  expect(await uploadFree(page([]), "p", "か\u3099\n\u202egnp.exe", CONTENTS)).toBe("が__gnp.exe");
});

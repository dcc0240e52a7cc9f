import { describe, expect, it } from "vitest";
import { loadCatalogue, type MessageKey } from "./catalogue";
import type { Message } from "./message";

const [en, ja] = await Promise.all([loadCatalogue("en"), loadCatalogue("ja")]);
const keys = Object.keys(en) as MessageKey[];

function placeholdersOf(message: Message): string[] {
  const text = typeof message === "string" ? message : message.other;
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").sort();
}

function formsOf(message: Message): string[] {
  return typeof message === "string" ? [message] : Object.values(message);
}

describe("the catalogues", () => {
  it("have the same keys", () => {
    expect(Object.keys(ja).sort()).toEqual([...keys].sort());
  });

  it("have the same placeholders for each key", () => {
    expect(keys.filter((key) => placeholdersOf(ja[key]).join() !== placeholdersOf(en[key]).join())).toEqual([]);
  });

  it("have no empty text, and no exclamation marks", () => {
    const wanting = (key: MessageKey) =>
      [...formsOf(en[key]), ...formsOf(ja[key])].some((form) => form.trim() === "" || /[!！]/.test(form));
    expect(keys.filter(wanting)).toEqual([]);
  });

  it("end Japanese loanwords with a long vowel mark", () => {
    const cut = /(?:ブラウザ|フォルダ|サーバ|ユーザ|コンピュータ|エディタ|ビューア|プリンタ|メンバ)(?!ー)/;
    expect(keys.filter((key) => formsOf(ja[key]).some((form) => cut.test(form)))).toEqual([]);
  });

  it("use full-width brackets around Japanese additions", () => {
    const narrow = /[\u3040-\u30ff\u4e00-\u9fff}]\(|\)[\u3040-\u30ff\u4e00-\u9fff]/;
    expect(keys.filter((key) => formsOf(ja[key]).some((form) => narrow.test(form)))).toEqual([]);
  });

  it("separate Latin names from Japanese text", () => {
    const name = String.raw`\{(?:after|before|folder|from|link|name|path|prefix|to|user)\}`;
    const letter = String.raw`[\u3040-\u30ff\u4e00-\u9fff、]`;
    const glued = new RegExp(`${name} ?${letter}|${letter} ?${name}`);
    expect(keys.filter((key) => formsOf(ja[key]).some((form) => glued.test(form)))).toEqual([]);
  });

  it("have all plural forms of their language", () => {
    for (const key of keys) {
      const message: Message = en[key];
      if (typeof message !== "string") expect(Object.keys(message).sort()).toEqual(["one", "other"]);
    }
  });
});

import { describe, expect, it } from "vitest";
import { en, ja, type MessageKey } from "./catalogue";
import type { Message } from "./message";

const keys = Object.keys(en) as MessageKey[];

function placesOf(message: Message): string[] {
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

  it.each(keys)("%s has the same places in both languages", (key) => {
    expect(placesOf(ja[key])).toEqual(placesOf(en[key]));
  });

  it.each(keys)("%s says something, without blame or noise", (key) => {
    for (const form of [...formsOf(en[key]), ...formsOf(ja[key])]) {
      expect(form.trim()).not.toBe("");
      expect(form).not.toMatch(/[!！]/);
    }
  });

  it("have every plural form that their language knows", () => {
    for (const key of keys) {
      const message: Message = en[key];
      if (typeof message !== "string") expect(Object.keys(message).sort()).toEqual(["one", "other"]);
    }
  });
});

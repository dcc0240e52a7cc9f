import { render, screen } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { expect, it } from "vitest";
import Button from "./Button.svelte";

const children = createRawSnippet(() => ({ render: () => "<span>Edit</span>" }));

it.each([
  ["e", "text", "hidden"],
  ["Shift+e", "text", "hidden"],
  ["Mod+s", "text", "visible"],
  ["e", "checkbox", "visible"],
])("key %s beside a %s field: %s", (shortcut, type, expected) => {
  const field = document.body.appendChild(Object.assign(document.createElement("input"), { type }));
  field.focus();
  render(Button, { shortcut, children });
  const cap = screen.getByRole("button").querySelector("kbd");
  expect(cap && getComputedStyle(cap).visibility).toBe(expected);
  field.remove();
});

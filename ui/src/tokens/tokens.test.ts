// Listing, creating and revoking access tokens.
import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import type { AccessToken } from "../api/tokens";
import { FakeBackend } from "../testing/fake-backend";
import { StubHost } from "../testing/stub-host";
import TokensSection from "./TokensSection.svelte";

const TOKEN: AccessToken = {
  id: "T1",
  name: "backup script",
  scopes: ["read", "hashes"],
  user_name: "Aya",
  created_at: "2026-11-18T12:00:00Z",
  expires_at: "2026-12-18T12:00:00Z",
};

async function open({ inWindow, tokens = [] }: { inWindow: boolean; tokens?: AccessToken[] }) {
  const backend = new FakeBackend();
  backend.tokensNow = tokens;
  const host = new StubHost();
  // Only whether there is one matters here.
  const desktop = inWindow ? ({} as NonNullable<FakeBackend["desktop"]>) : null;
  render(TokensSection, { backend: { tokens: backend.tokens, desktop }, host });
  await waitFor(() => expect(rows()).toHaveLength(tokens.length));
  return { backend, host };
}

function rows(): HTMLElement[] {
  return screen.queryAllByTestId("token");
}

it("lists tokens with their rights and expiry", async () => {
  await open({ inWindow: true, tokens: [TOKEN] });
  const row = rows()[0]!.textContent;
  expect(row).toContain("backup script");
  expect(row).toContain("Read pages · See hash records");
  expect(row).toContain("As Aya");
  expect(row).toMatch(/Until .*2026/);
});

it("creates a token and shows it once", async () => {
  const { backend } = await open({ inWindow: true });
  await fireEvent.click(screen.getByTestId("token-create"));
  expect(screen.getByTestId("tokens").textContent).toContain("Enter a name.");
  expect(backend.tokens.create).not.toHaveBeenCalled();
  await fireEvent.input(screen.getByTestId("token-name"), { target: { value: " script " } });
  await fireEvent.click(screen.getByTestId("token-scope-pictures"));
  await fireEvent.click(screen.getByTestId("token-days-7"));
  await fireEvent.click(screen.getByTestId("token-create"));
  await waitFor(() => expect(screen.getByTestId("token-created").textContent).toContain("fumi_new"));
  expect(backend.tokens.create).toHaveBeenCalledExactlyOnceWith({ name: "script", scopes: ["read", "pictures"], days: 7 });
  await waitFor(() => expect(rows()).toHaveLength(1));
  await fireEvent.click(screen.getByTestId("token-hide"));
  expect(screen.queryByTestId("token-created")).toBeNull();
});

it("needs a right for a token", async () => {
  const { backend } = await open({ inWindow: true });
  await fireEvent.input(screen.getByTestId("token-name"), { target: { value: "script" } });
  await fireEvent.click(screen.getByTestId("token-scope-read"));
  await fireEvent.click(screen.getByTestId("token-create"));
  expect(screen.getByRole("alert").textContent).toBe("Choose at least one right.");
  expect(backend.tokens.create).not.toHaveBeenCalled();
});

it("revokes a token after a confirmation", async () => {
  const { backend, host } = await open({ inWindow: false, tokens: [TOKEN] });
  screen.getByRole("button", { name: "Revoke the token of backup script" }).click();
  await waitFor(() => expect(rows()).toHaveLength(0));
  expect(backend.tokens.revoke).toHaveBeenCalledExactlyOnceWith("T1");
  expect(host.toasts).toEqual(["Revoked the token of backup script"]);
});

it("creates none in a browser", async () => {
  await open({ inWindow: false });
  expect(screen.queryByTestId("token-create")).toBeNull();
  expect(screen.getByTestId("tokens-in-window").textContent).toContain("fumi token create");
});

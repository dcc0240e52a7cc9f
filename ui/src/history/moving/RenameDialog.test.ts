import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { tick } from "svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../api/errors";
import { errorMessage } from "../../i18n";
import { FakeHistory } from "../../testing/fake-history";
import { RenameDialog } from "..";

let fake: FakeHistory;
const onrenamed = vi.fn();
const onclose = vi.fn();

beforeEach(() => {
  fake = new FakeHistory();
  onrenamed.mockReset();
  onclose.mockReset();
});

function open() {
  const page = { id: "P", path: "/p" };
  render(RenameDialog, { page, backend: fake.backend, describe: errorMessage, onrenamed, onclose });
}

const field = () => screen.getByTestId<HTMLInputElement>("move-path");
const submit = () => screen.getByTestId<HTMLButtonElement>("rename-submit");

async function type(path: string) {
  await userEvent.clear(field());
  await userEvent.type(field(), path);
}

const link = { page: "/q", link: "beside", before: "/beside", after: "/x/beside" };

describe("a new path", () => {
  it("requires a different path", () => {
    open();
    expect(field().value).toBe("/p");
    expect(submit().disabled).toBe(true);
    expect(fake.backend.moves.preview).not.toHaveBeenCalled();
  });

  it("is not applied by a held Enter", async () => {
    open();
    await type("/q");
    await waitFor(() => expect(submit().disabled).toBe(false));
    await fireEvent.keyDown(field(), { key: "Enter", repeat: true });
    expect(fake.backend.moves.rename).not.toHaveBeenCalled();
  });

  it("a key includes or excludes subpages", async () => {
    fake.subpages = 3;
    open();
    const box = await screen.findByTestId<HTMLInputElement>("rename-recursive");
    expect(box.getAttribute("aria-keyshortcuts")).toBe("Control+b");
    field().focus();
    await userEvent.keyboard("{Control>}b{/Control}");
    expect(box.checked).toBe(false);
    await userEvent.keyboard("{Control>}b{/Control}");
    expect(box.checked).toBe(true);
    expect(submit().getAttribute("aria-keyshortcuts")).toBe("Enter");
  });

  it("starts with the name selected", async () => {
    open();
    expect(document.activeElement).toBe(field());
    await tick();
    expect(field().value.slice(field().selectionStart ?? 0, field().selectionEnd ?? 0)).toBe("p");
  });

  it("previews the moved pages and changed links", async () => {
    fake.subpages = 3;
    fake.warnings = [link];
    open();
    await type("/q");
    const preview = screen.getByTestId("rename-preview");
    await waitFor(() => expect(preview.textContent).toContain("4 pages will be moved"));
    expect(preview.textContent).toContain("1 relative link will point to a different page");
    const changes = screen.getByTestId("link-changes").textContent;
    for (const part of ["In /q", "/x/beside"]) expect(changes).toContain(part);
    expect(fake.backend.moves.preview.mock.lastCall?.[1]).toEqual({ to: "/q", recursive: true });
    await userEvent.click(screen.getByTestId("rename-recursive"));
    await waitFor(() => expect(preview.textContent).toContain("Its 3 subpages won’t be moved"));
  });

  it("is applied by Enter, at the previewed path", async () => {
    open();
    await type("/q");
    await waitFor(() => expect(screen.getByTestId("rename-preview").textContent).toContain("keep working"));
    await userEvent.type(field(), "{Enter}");
    await waitFor(() => expect(onclose).toHaveBeenCalledOnce());
    expect(fake.backend.moves.rename).toHaveBeenCalledExactlyOnceWith("P", { to: "/q", recursive: false });
    expect(onrenamed.mock.calls[0]?.slice(0, 2)).toEqual(["/q", false]);
  });

  it("does not list confirmed changes again", async () => {
    fake.warnings = [link];
    open();
    await type("/q");
    await screen.findByTestId("link-changes");
    await userEvent.click(submit());
    await waitFor(() => expect(onclose).toHaveBeenCalledOnce());
    expect(screen.queryByTestId("rename-done")).toBeNull();
  });

  it("keeps the list of changed links open", async () => {
    fake.warnings = [link];
    open();
    await type("/q");
    await userEvent.type(field(), "{Enter}");
    const done = await screen.findByTestId("rename-done");
    expect(done.textContent).toContain("beside");
    expect(onclose).not.toHaveBeenCalled();
    await userEvent.click(screen.getByTestId("rename-close"));
    expect(onclose).toHaveBeenCalledOnce();
  });

  it("is rejected at the field if used", async () => {
    const error = new ApiError("path_taken", 409, "", { path: "/q/sub" });
    fake.backend.moves.preview.mockRejectedValue(error);
    open();
    await type("/q");
    expect(await screen.findByText("A page already exists at /q/sub.")).toBeDefined();
    expect(submit().disabled).toBe(true);
    fake.backend.moves.preview.mockResolvedValue({ revision: 2, warnings: [] });
    fake.backend.moves.rename.mockRejectedValueOnce(error);
    await type("/r");
    await waitFor(() => expect(submit().disabled).toBe(false));
    await userEvent.click(submit());
    expect(await screen.findByText("A page already exists at /q/sub.")).toBeDefined();
    expect(onrenamed).not.toHaveBeenCalled();
  });

  it.each([
    ["/\u0007", "A path can’t contain"],
    ["/", "The top page already exists"],
  ])("such as %s is rejected with a reason", async (typed, why) => {
    open();
    await type(typed);
    expect(screen.getByText(why, { exact: false })).toBeDefined();
    expect(submit().disabled).toBe(true);
  });

  it("can be a suggested folder with its name", async () => {
    open();
    const places = await screen.findAllByTestId("move-place");
    expect(places.map((place) => place.textContent.trim())).toEqual(["/travel"]);
    await userEvent.click(places[0] as HTMLElement);
    expect(field().value).toBe("/travel/p");
  });
});

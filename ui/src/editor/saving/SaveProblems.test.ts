import { render, screen } from "@testing-library/svelte";
import { expect, it, vi } from "vitest";
import { ApiError, type ApiErrorCode } from "../../api/errors";
import { StubHost } from "../../testing/stub-host";
import { retries } from "../../widgets";
import { FAULT_KEY } from "../../widgets/states/fault-context";
import type { EditSession } from "../session/edit-session.svelte";
import SaveProblems from "./SaveProblems.svelte";

const host = new StubHost();
const onsave = vi.fn(() => Promise.resolve());

/** Shows a failed save while the frame reports a fault. */
function fail(code: ApiErrorCode, fault: { words: string[]; isTotal: boolean }) {
  const session = {
    saving: { kind: "failed", error: new ApiError(code, 0, ""), own: null },
    lock: { kind: "held" },
    autosave: { kind: "saved" },
    conflict: null,
  } as unknown as EditSession;
  const props = { session, host, onsave, onmerge: () => Promise.resolve(), onselectall: () => {} };
  render(SaveProblems, { props, context: new Map([[FAULT_KEY, fault]]) });
  const notice = screen.getByTestId("save-failed").textContent.replace(/\s+/g, " ").trim();
  return { notice, button: screen.queryByTestId("save-again")?.textContent.trim() };
}

const words = (code: ApiErrorCode) => host.describe(new ApiError(code, 0, ""));
const KEPT = "Your text is still here, and a draft is kept.";

it("the frame alone names and retries total faults", () => {
  const { notice, button } = fail("unreachable", { words: [words("unreachable")], isTotal: true });
  expect(notice).toBe(`Couldn’t save the page. ${KEPT} Copy text`);
  expect(button).toBeUndefined();
  retries.run();
  expect(onsave).toHaveBeenCalledOnce();
});

it("a past fault is reported as such", () => {
  const { notice, button } = fail("unreachable", { words: [], isTotal: false });
  expect(notice).toContain(`Fumikura is responding again. ${KEPT}`);
  expect(button).toBe("Save");
});

it("one button retries what the frame also reports", () => {
  const { notice, button } = fail("disk_full", { words: [words("disk_full")], isTotal: false });
  expect(notice).not.toContain(words("disk_full"));
  expect(button).toBeUndefined();
});

it("the page's own fault is explained and retried", () => {
  const { notice, button } = fail("too_large", { words: [], isTotal: false });
  expect(notice).toContain(words("too_large"));
  expect(button).toBe("Try again");
});

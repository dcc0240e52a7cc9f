import { describe, expect, it, vi } from "vitest";
import type { ToastOptions } from "../../api/host";
import { reportHashFindings } from "./hash-findings";

function messageOf(counts: { corrupt: number; changed: number; missing: number }) {
  const toast = vi.fn<(message: string, options: ToastOptions) => void>();
  const navigate = vi.fn<(address: string) => void>();
  reportHashFindings(counts, { toast, navigate });
  const [message, options] = toast.mock.lastCall ?? [];
  return { message, options, navigate };
}

describe("findings of rolling verification", () => {
  it("report damage first, and lead to the records", async () => {
    const { message, options, navigate } = messageOf({ corrupt: 2, changed: 3, missing: 0 });
    expect(message).toContain("2 damaged files");
    expect(options).toMatchObject({ tone: "bad", duration: null });
    await options?.action?.run();
    expect(navigate).toHaveBeenCalledWith("/hashes");
  });

  it("counts changed and missing files together", () => {
    const { message, options } = messageOf({ corrupt: 0, changed: 1, missing: 2 });
    expect(message).toContain("3 files");
    expect(options?.tone).toBe("warn");
  });
});

// The fault that the frame reports as a whole: a part that fails for the same reason need not repeat it.
import { getContext, setContext } from "svelte";

export const FAULT_KEY = Symbol("fault");

interface FrameFault {
  /** The sentences that describe it. */
  readonly words: readonly string[];
  /** True if every request fails while it lasts: the frame's button then retries. */
  readonly isTotal: boolean;
}

const NONE: FrameFault = { words: [], isTotal: false };

export function provideFault(fault: FrameFault): void {
  setContext(FAULT_KEY, fault);
}

/** Reactive. */
export function currentFault(): FrameFault {
  return getContext<FrameFault | undefined>(FAULT_KEY) ?? NONE;
}

// The fault that the frame reports as a whole: a part that fails for the same reason need not repeat it.
import { getContext, setContext } from "svelte";

const KEY = Symbol("fault");

interface FaultAround {
  /** The sentences that describe it. */
  readonly words: readonly string[];
  /** True if every request fails while it lasts: the frame's button then retries. */
  readonly isTotal: boolean;
}

const NONE: FaultAround = { words: [], isTotal: false };

export function provideFault(fault: FaultAround): void {
  setContext(KEY, fault);
}

/** Reactive. */
export function faultAround(): FaultAround {
  return getContext<FaultAround | undefined>(KEY) ?? NONE;
}

// The fault that the frame tells of as a whole: whoever fails for the same reason need not tell it again.
import { getContext, setContext } from "svelte";

const KEY = Symbol("fault");

interface FaultAround {
  /** The sentences that tell it. */
  readonly words: readonly string[];
  /** Whether nothing at all comes while it lasts: what tries again is the frame's button then. */
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

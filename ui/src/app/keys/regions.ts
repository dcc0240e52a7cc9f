// The regions of the window: its bars, panels and panes, between which a key moves the focus.

/** `<nav data-region>`. A region that can have the focus itself gets it as a whole. */
const REGIONS = "[data-region]";
const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/** The element of each region that had the focus last. */
const lastFocused = new WeakMap<Element, HTMLElement>();

/** Remembers the focus of each region. Returns a function that stops it. */
export function rememberFocus(): () => void {
  const onfocusin = ({ target }: FocusEvent) => {
    const region = target instanceof HTMLElement && target.closest(REGIONS);
    if (region) lastFocused.set(region, target);
  };
  document.addEventListener("focusin", onfocusin);
  return () => document.removeEventListener("focusin", onfocusin);
}

/** Moves the focus to the next region (1) or the previous one (-1), in the order of the document. */
export function focusRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(isReachable);
  const here = document.activeElement?.closest(REGIONS) ?? null;
  const at = regions.findIndex((region) => region === here);
  // From nowhere, the main part is the first.
  const start = at >= 0 ? at : regions.findIndex((region) => region.id === "main") - step;
  for (let passed = 1; passed <= regions.length; passed += 1) {
    const region = regions.at((start + step * passed) % regions.length);
    const target = region && targetIn(region);
    if (target === undefined) continue;
    return target.focus();
  }
}

function targetIn(region: HTMLElement): HTMLElement | undefined {
  const last = lastFocused.get(region);
  if (last?.isConnected === true && region.contains(last) && isReachable(last)) return last;
  if (region.tabIndex >= 0 || region.hasAttribute("tabindex")) return region;
  const controls = [...region.querySelectorAll<HTMLElement>(CONTROLS)];
  return controls.find((control) => control.tabIndex >= 0 && !control.matches(":disabled") && isReachable(control));
}

function isReachable(element: Element): boolean {
  if (element.closest("[hidden], [inert]") !== null) return false;
  // Some engines lack it.
  return (element as { checkVisibility?: () => boolean }).checkVisibility?.() ?? true;
}

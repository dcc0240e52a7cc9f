// Follows the Tab key through the page, where it runs: "begin", then "step" after each press, then "end". Each returns its
// faults, one line for each.
const [act] = arguments;
const TABBABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], [contenteditable=true]";
/** The numbers of ancestors and of descendants that may show the focus of an element in its place. */
const [ANCESTORS, DESCENDANTS] = [2, 24];
/** The minimum width of a visible ring, in pixels (WCAG 2.4.13). */
const MIN_RING = 2;
const SLACK = 1;

const root = document.querySelector("dialog:modal") ?? document.body;
const named = (element) => {
  const id = element.closest("[data-testid]")?.dataset.testid;
  const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
  return `<${element.localName}${id ? ` in ${id}` : ""}> “${words}”`;
};

function isTabbable(element) {
  if (element.tabIndex < 0 || element.disabled || element.closest("[inert]")) return false;
  if (!element.checkVisibility({ checkVisibilityCSS: true })) return false;
  // The Tab key reaches only one radio button of each group.
  if (element.type !== "radio" || element.checked) return true;
  const group = [...root.querySelectorAll("input[type=radio]")].filter((other) => other.name === element.name);
  return !group.some((other) => other.checked) && group[0] === element;
}

const tabbable = () => [...root.querySelectorAll(TABBABLE)].filter(isTabbable);

/** Returns the styles with which an element, or one near it, could show the focus. */
function focusStyles(focused) {
  const near = [focused, focused.nextElementSibling, ...[...focused.querySelectorAll("*")].slice(0, DESCENDANTS)];
  for (let at = focused.parentElement, up = 0; up < ANCESTORS && at !== null; at = at.parentElement, up += 1) near.push(at);
  const styles = [];
  for (const element of near) {
    if (element === null) continue;
    for (const pseudo of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, pseudo);
      if (pseudo !== null && (style.content === "none" || style.content === "normal")) continue;
      const ring = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
      styles.push({ element, ring, reach: ring + parseFloat(style.outlineOffset), other: `${style.boxShadow} ${style.borderColor} ${style.backgroundColor}`, pseudo });
    }
  }
  return styles;
}

/** Returns true if the thumb of a slider shows the focus. Its computed style is not available, so the rule is checked. */
function marksItsThumb(element) {
  if (element.type !== "range") return false;
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.some((rule) => {
    const [, selector] = /^(.*:focus-visible.*)::-webkit-slider-thumb$/.exec(rule.selectorText ?? "") ?? [];
    return selector !== undefined && element.matches(selector) && parseFloat(rule.style.outlineWidth) >= MIN_RING;
  });
}

/** Returns how much of a ring is cut off by the element's ancestors and the window. */
function cutOff(element, reach) {
  const boxes = [...element.getClientRects()];
  const box = {
    left: Math.min(...boxes.map(({ left }) => left)) - reach,
    right: Math.max(...boxes.map(({ right }) => right)) + reach,
    top: Math.min(...boxes.map(({ top }) => top)) - reach,
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)) + reach,
  };
  let over = Math.max(-box.left, -box.top, box.right - innerWidth, box.bottom - innerHeight);
  let position = getComputedStyle(element).position;
  for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
    const style = getComputedStyle(at);
    const isContainingBlock = style.position !== "static" || style.contain.includes("layout");
    if (position === "fixed" || (position === "absolute" && !isContainingBlock)) continue;
    position = style.position;
    if (at.localName === "dialog") position = "fixed";
    const visible = at.getBoundingClientRect();
    if (style.overflowX !== "visible") over = Math.max(over, visible.left - box.left, box.right - visible.right);
    if (style.overflowY !== "visible") over = Math.max(over, visible.top - box.top, box.bottom - visible.bottom);
  }
  return over;
}

/** Returns true if another element covers the middle of the focused one (WCAG 2.4.11). */
function isCovered(element) {
  const [box] = element.getClientRects();
  const x = Math.min(Math.max((box.left + box.right) / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max((box.top + box.bottom) / 2, 0), innerHeight - 1);
  const topmost = document.elementFromPoint(x, y);
  const own = element.closest("label") ?? element;
  return !(topmost !== null && (own.contains(topmost) || topmost.contains(own)));
}

/** Compares the styles with those during the focus, after the focus has moved on. */
function checkPrevious(walk) {
  if (walk.at === null) return [];
  const { element, styles: focused } = walk.at;
  walk.at = null;
  // The text has a caret.
  if (!element.isConnected || element.isContentEditable || marksItsThumb(element)) return [];
  const unfocused = focusStyles(element);
  const changes = focused.filter((style, index) => {
    const same = unfocused[index];
    if (same?.element !== style.element) return true;
    return style.ring >= MIN_RING ? same.ring < MIN_RING : style.other !== same.other;
  });
  return changes.length > 0 ? [] : [`no ring on ${named(element)}`];
}

function checkCurrent(walk) {
  const element = document.activeElement;
  if (element === null || element === document.body) return { faults: [], back: false };
  if (walk.visited.has(element)) {
    const faults = element === walk.first ? [] : [`trapped: after ${walk.visited.size} steps the focus is back on ${named(element)}`];
    return { faults, back: true };
  }
  walk.first ??= element;
  walk.visited.add(element);
  const faults = [];
  if (!element.matches(":focus-visible")) faults.push(`the focus is not visible on ${named(element)}`);
  if (!root.contains(element) && !element.matches(".skip")) faults.push(`the focus is outside, on ${named(element)}`);
  const styles = focusStyles(element);
  for (const { element: marked, ring, reach, pseudo } of styles) {
    if (ring < MIN_RING || pseudo !== null || marked === document.body) continue;
    const over = cutOff(marked, reach);
    if (over > SLACK) faults.push(`the ring is cut off by ${over.toFixed(1)} on ${named(marked)}`);
  }
  if (isCovered(element)) faults.push(`covered by another element: ${named(element)}`);
  walk.at = { element, styles };
  return { faults, back: false };
}

if (act === "begin") {
  window.walk = { visited: new Set(), first: null, at: null, wanted: new Set(tabbable()) };
  const positive = [...root.querySelectorAll("[tabindex]")].filter((element) => element.tabIndex > 0);
  return { faults: positive.map((element) => `positive tabindex: ${named(element)}`), back: false, wanted: window.walk.wanted.size };
}
if (act === "step") {
  const previous = checkPrevious(window.walk);
  const { faults, back } = checkCurrent(window.walk);
  return { faults: [...previous, ...faults], back };
}
const missed = tabbable().filter((element) => window.walk.wanted.has(element) && !window.walk.visited.has(element));
return { faults: [...checkPrevious(window.walk), ...missed.map((element) => `never reached: ${named(element)}`)], back: true };

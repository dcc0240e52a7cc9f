// What the Tab key comes to, one step at a time. Run in the page: "begin", then "step" after each press, then "end".
// Each answers with what is wrong, one line for each fault.
const [act] = arguments;
const TABBABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], [contenteditable=true]";
/** What stands in for an element that has the focus lies near it. */
const [ABOVE, WITHIN] = [2, 24];
/** The least that can be told from no ring at all (WCAG 2.4.13). */
const RING = 2;
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
  // Of radio buttons that belong together the Tab key comes to one alone.
  if (element.type !== "radio" || element.checked) return true;
  const group = [...root.querySelectorAll("input[type=radio]")].filter((other) => other.name === element.name);
  return !group.some((other) => other.checked) && group[0] === element;
}

const tabbable = () => [...root.querySelectorAll(TABBABLE)].filter(isTabbable);

/** Everything by which an element could show that it, or one near it, has the focus. */
function looks(focused) {
  const near = [focused, focused.nextElementSibling, ...[...focused.querySelectorAll("*")].slice(0, WITHIN)];
  for (let at = focused.parentElement, up = 0; up < ABOVE && at !== null; at = at.parentElement, up += 1) near.push(at);
  const found = [];
  for (const element of near) {
    if (element === null) continue;
    for (const pseudo of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, pseudo);
      if (pseudo !== null && (style.content === "none" || style.content === "normal")) continue;
      const ring = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
      found.push({ element, ring, reach: ring + parseFloat(style.outlineOffset), rest: `${style.boxShadow} ${style.borderColor} ${style.backgroundColor}`, pseudo });
    }
  }
  return found;
}

/** Of a slider, engines tell no style of what is moved: the rule itself has to do. */
function marksItsThumb(element) {
  if (element.type !== "range") return false;
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.some((rule) => {
    const [, selector] = /^(.*:focus-visible.*)::-webkit-slider-thumb$/.exec(rule.selectorText ?? "") ?? [];
    return selector !== undefined && element.matches(selector) && parseFloat(rule.style.outlineWidth) >= RING;
  });
}

/** What of a ring its surroundings cut off. */
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
    const places = style.position !== "static" || style.contain.includes("layout");
    if (position === "fixed" || (position === "absolute" && !places)) continue;
    position = style.position;
    if (at.localName === "dialog") position = "fixed";
    const seen = at.getBoundingClientRect();
    if (style.overflowX !== "visible") over = Math.max(over, seen.left - box.left, box.right - seen.right);
    if (style.overflowY !== "visible") over = Math.max(over, seen.top - box.top, box.bottom - seen.bottom);
  }
  return over;
}

/** Whether something lies over the middle of what has the focus (WCAG 2.4.11). */
function isCovered(element) {
  const [box] = element.getClientRects();
  const x = Math.min(Math.max((box.left + box.right) / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max((box.top + box.bottom) / 2, 0), innerHeight - 1);
  const there = document.elementFromPoint(x, y);
  const own = element.closest("label") ?? element;
  return !(there !== null && (own.contains(there) || there.contains(own)));
}

/** The focus has gone on: now it can be told what it changed. */
function leave(walk) {
  if (walk.at === null) return [];
  const { element, looks: then } = walk.at;
  walk.at = null;
  // The text has a caret.
  if (!element.isConnected || element.isContentEditable || marksItsThumb(element)) return [];
  const now = looks(element);
  const marks = then.filter((look, index) => {
    const same = now[index];
    if (same?.element !== look.element) return true;
    return look.ring >= RING ? same.ring < RING : look.rest !== same.rest;
  });
  return marks.length > 0 ? [] : [`no ring on ${named(element)}`];
}

function arrive(walk) {
  const element = document.activeElement;
  if (element === null || element === document.body) return { faults: [], back: false };
  if (walk.seen.has(element)) {
    const faults = element === walk.first ? [] : [`caught: after ${walk.seen.size} steps the focus is back on ${named(element)}`];
    return { faults, back: true };
  }
  walk.first ??= element;
  walk.seen.add(element);
  const faults = [];
  if (!element.matches(":focus-visible")) faults.push(`the focus is not to be seen on ${named(element)}`);
  if (!root.contains(element) && !element.matches(".skip")) faults.push(`the focus is outside, on ${named(element)}`);
  const then = looks(element);
  for (const { element: marked, ring, reach, pseudo } of then) {
    if (ring < RING || pseudo !== null || marked === document.body) continue;
    const over = cutOff(marked, reach);
    if (over > SLACK) faults.push(`the ring is cut off by ${over.toFixed(1)} on ${named(marked)}`);
  }
  if (isCovered(element)) faults.push(`something lies over ${named(element)}`);
  walk.at = { element, looks: then };
  return { faults, back: false };
}

if (act === "begin") {
  window.walk = { seen: new Set(), first: null, at: null, wanted: new Set(tabbable()) };
  const positive = [...root.querySelectorAll("[tabindex]")].filter((element) => element.tabIndex > 0);
  return { faults: positive.map((element) => `out of turn: ${named(element)}`), back: false, wanted: window.walk.wanted.size };
}
if (act === "step") {
  const left = leave(window.walk);
  const { faults, back } = arrive(window.walk);
  return { faults: [...left, ...faults], back };
}
const missed = tabbable().filter((element) => window.walk.wanted.has(element) && !window.walk.seen.has(element));
return { faults: [...leave(window.walk), ...missed.map((element) => `never reached: ${named(element)}`)], back: true };

// Returns the faults of the screen's layout, one line for each. Runs in the page.
const faults = [];
const SLACK = 1;
/** Elements with long lines, which may scroll sideways. */
const MAY_SCROLL = "pre, .table-scroll, .katex-display, .diagram, .diff, [data-testid=diff], [data-testid=compare] .texts, .cm-scroller";
const CONTROLS =
  "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option], [role=menuitem], [role=treeitem], [role=checkbox], [role=gridcell], [tabindex='0']";
/** The minimum size of a target, in pixels. */
const MIN_TARGET = 24;
/** Continues at both sides: the wheel and the keys scroll to what is cut off. */
const SCROLLS_BY_KEYS = "[data-testid=filmstrip]";

const modal = document.querySelector("dialog:modal");
const root = modal ?? document.body;
const styles = new Map();
const styleOf = (element) => {
  if (!styles.has(element)) styles.set(element, getComputedStyle(element));
  return styles.get(element);
};
const named = (element) => {
  const id = element.closest("[data-testid]")?.dataset.testid;
  const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
  return `<${element.localName}${id ? ` in ${id}` : ""}${typeof element.className === "string" && element.className ? ` .${element.className.split(" ")[0]}` : ""}> “${words}”`;
};
const px = (number) => Math.round(number * 10) / 10;

/** Returns true if a user can see the element. One that appears only with the focus does not count. */
function isShown(element) {
  if (element.closest("[inert], .visually-hidden, .skip, [hidden]")) return false;
  if (!element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true })) return false;
  for (let at = element; at !== null; at = at.parentElement) {
    const { clipPath, opacity } = styleOf(at);
    if (clipPath.startsWith("inset(50%")) return false;
    if (opacity === "0" && at.localName !== "input") return false;
  }
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}

/** Returns the area in which an element can be visible: without what its ancestors clip or, with `now`, scroll out of view. */
function reach(element, { now = false, within = element.parentElement } = {}) {
  const visible = { left: 0, right: innerWidth, top: -Infinity, bottom: Infinity };
  let position = within === element ? "static" : styleOf(element).position;
  /** Ancestors outside a scrolling element clip nothing that it can scroll into view. */
  let [scrollsAcross, scrollsDown] = [false, false];
  for (let at = within; at !== null && at !== document.body; at = at.parentElement) {
    const { overflowX, overflowY, position: own, contain } = styleOf(at);
    // An element that is positioned by the window or by an outer ancestor is not clipped by those in between.
    const isContainingBlock = own !== "static" || contain.includes("layout");
    if (position === "fixed" || (position === "absolute" && !isContainingBlock)) continue;
    position = own;
    const box = at.getBoundingClientRect();
    if (!scrollsAcross && overflowX !== "visible") {
      if (!now && overflowX !== "hidden" && overflowX !== "clip" && at.matches(MAY_SCROLL)) {
        scrollsAcross = true;
        visible.left = -Infinity;
        visible.right = Infinity;
      } else {
        visible.left = Math.max(visible.left, box.left);
        visible.right = Math.min(visible.right, box.right);
      }
    }
    if (!scrollsDown && overflowY !== "visible") {
      if (!now && (overflowY === "auto" || overflowY === "scroll")) scrollsDown = true;
      else {
        visible.top = Math.max(visible.top, box.top);
        visible.bottom = Math.min(visible.bottom, box.bottom);
      }
    }
  }
  return visible;
}

/** Returns true if only scrolling the page itself would show the whole element. */
function sticksOut(element) {
  const { right } = element.getBoundingClientRect();
  const { left: from, right: to } = reach(element);
  return right > innerWidth + SLACK && to - from >= innerWidth;
}

// 1. No screen scrolls sideways.
scrollTo(1, 0);
if (scrollX > 0) faults.push(`the page scrolls sideways for ${[...document.querySelectorAll("body *")].filter(sticksOut).map(named).join(", ")}`);
scrollTo(0, 0);
for (const element of root.querySelectorAll("*")) {
  if (element.scrollWidth <= element.clientWidth + SLACK || element.clientWidth === 0) continue;
  const { overflowX } = styleOf(element);
  if (overflowX !== "auto" && overflowX !== "scroll") continue;
  if (element.matches(MAY_SCROLL) || element.matches("input, textarea") || !isShown(element)) continue;
  faults.push(`scrolls sideways: ${named(element)} has a content of ${element.scrollWidth} in ${element.clientWidth}`);
}

// 2. No control is cut off. 3. No control is too small.
const targets = [];
for (const element of root.querySelectorAll(CONTROLS)) {
  if (!isShown(element) || element.matches("[contenteditable], main, section, [role=region], [role=tree], [role=listbox]")) continue;
  const label = element.matches("input") ? element.closest("label") : null;
  const box = element.getBoundingClientRect();
  const visible = reach(element);
  const over = Math.max(visible.left - box.left, box.right - visible.right, visible.top - box.top, box.bottom - visible.bottom);
  if (over > SLACK && !element.closest(SCROLLS_BY_KEYS)) faults.push(`cut off by ${px(over)}: ${named(element)}`);
  targets.push({ element, box: hitBox(element, label) });
}

/** Returns the area that reacts to a press, including the label and the ::before that extends it. */
function hitBox(element, label) {
  // A label with `display: contents` has no box of its own.
  const own = (label && styleOf(label).display !== "contents" ? label : element).getBoundingClientRect();
  let { left, top, right, bottom } = own;
  const before = getComputedStyle(element, "::before");
  if (before.content !== "none" && before.position === "absolute" && before.pointerEvents !== "none") {
    const [t, r, b, l] = [before.top, before.right, before.bottom, before.left].map(parseFloat);
    if (![t, r, b, l].some(Number.isNaN)) {
      left += Math.min(0, l);
      top += Math.min(0, t);
      right -= Math.min(0, r);
      bottom -= Math.min(0, b);
    }
  }
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

/** Returns true for a link in a sentence, which is as high as its line (WCAG 2.5.8, the exception “inline”). */
function isInline(element) {
  return element.localName === "a" && styleOf(element).display === "inline" && element.closest("p, li, td, th, blockquote, h1, h2, h3, h4, h5, h6, dd") !== null;
}

for (const { element, box } of targets) {
  if (box.width >= MIN_TARGET - 0.5 && box.height >= MIN_TARGET - 0.5) continue;
  if (isInline(element) || element.matches("[role=separator]")) continue;
  // The exception “spacing”: no other target intersects a circle of 24 pixels around the middle of this one.
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const near = targets.find((other) => {
    if (other.element === element || other.element.contains(element) || element.contains(other.element)) return false;
    const dx = Math.max(other.box.left - x, 0, x - other.box.right);
    const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
    return Math.hypot(dx, dy) < MIN_TARGET / 2;
  });
  if (near) faults.push(`too small (${px(box.width)} × ${px(box.height)}): ${named(element)} next to ${named(near.element)}`);
}

// 4. No text overlaps another, and none is cut off without an ellipsis.
/** Returns the ancestor that floats above other elements and hides them. */
function layerOf(element) {
  for (let at = element; at !== null; at = at.parentElement) {
    const { position, backgroundColor } = styleOf(at);
    if (at.matches("dialog") || position === "fixed") return at;
    const alpha = /rgba\([^)]*,\s*([\d.]+)\)/.exec(backgroundColor)?.[1] ?? (backgroundColor === "transparent" ? "0" : "1");
    if (position !== "static" && position !== "relative" && Number(alpha) > 0.5) return at;
  }
  return null;
}

const lines = [];
const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
  const element = node.parentElement;
  if (node.data.trim() === "" || element.closest("script, style, svg, .katex, noscript, option, .cm-cursorLayer")) continue;
  if (!isShown(element)) continue;
  const [visible, shown] = [false, true].map((now) => reach(element, { now, within: element }));
  const layer = layerOf(element);
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    const cut = Math.max(visible.left - box.left, box.right - visible.right);
    if (cut > 2 && !hasEllipsis(element)) faults.push(`text is cut off by ${px(cut)}: ${named(element)}`);
    const left = Math.max(box.left, shown.left);
    const right = Math.min(box.right, shown.right);
    // Only the middle of a line counts: the space of a font above and below overlaps that of the next line.
    const top = Math.max(box.top + box.height * 0.25, shown.top);
    const bottom = Math.min(box.bottom - box.height * 0.25, shown.bottom);
    if (right - left < 2 || bottom - top < 2) continue;
    lines.push({ node, element, layer, left, right, top, bottom });
  }
}

function hasEllipsis(element) {
  for (let at = element; at !== null && at !== root; at = at.parentElement) {
    if (styleOf(at).textOverflow === "ellipsis" || at.matches(MAY_SCROLL)) return true;
  }
  return false;
}

lines.sort((a, b) => a.top - b.top);
const reported = new Set();
for (let one = 0; one < lines.length; one += 1) {
  for (let two = one + 1; two < lines.length && lines[two].top < lines[one].bottom; two += 1) {
    const [a, b] = [lines[one], lines[two]];
    if (a.node === b.node || a.layer !== b.layer) continue;
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide < 2 || high < 2) continue;
    const fault = `overlapping texts: ${named(a.element)} and ${named(b.element)}`;
    if (!reported.has(fault)) faults.push(fault);
    reported.add(fault);
  }
}

return faults;

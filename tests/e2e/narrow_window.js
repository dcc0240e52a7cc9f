// What is wrong with the screen as it is laid out now, one line for each fault. Run in the page.
const faults = [];
const SLACK = 1;
/** Long lines of their own kind scroll inside themselves. */
const MAY_SCROLL = "pre, .table-scroll, .katex-display, .diagram, .diff, [data-testid=diff], [data-testid=compare] .texts, .cm-scroller";
const CONTROLS =
  "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option], [role=menuitem], [role=treeitem], [role=checkbox], [role=gridcell], [tabindex='0']";
const LEAST = 24;
/** Goes on at both sides; what is cut off there comes by the wheel, and by the keys that lead to it. */
const GOES_ON = "[data-testid=filmstrip]";

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

/** Whether a person is to see it; what waits for the focus is seen with it. */
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

/** Where an element can be seen: what its ancestors cut off for good is not there, nor (`now`) what is scrolled away. */
function reach(element, { now = false, within = element.parentElement } = {}) {
  const seen = { left: 0, right: innerWidth, top: -Infinity, bottom: Infinity };
  let position = within === element ? "static" : styleOf(element).position;
  /** Within something that scrolls, whatever lies around that cuts nothing off. */
  let [scrollsAcross, scrollsDown] = [false, false];
  for (let at = within; at !== null && at !== document.body; at = at.parentElement) {
    const { overflowX, overflowY, position: own, contain } = styleOf(at);
    // What is placed by the window or by a place further up is not cut by what lies between.
    const places = own !== "static" || contain.includes("layout");
    if (position === "fixed" || (position === "absolute" && !places)) continue;
    position = own;
    const box = at.getBoundingClientRect();
    if (!scrollsAcross && overflowX !== "visible") {
      if (!now && overflowX !== "hidden" && overflowX !== "clip" && at.matches(MAY_SCROLL)) {
        scrollsAcross = true;
        seen.left = -Infinity;
        seen.right = Infinity;
      } else {
        seen.left = Math.max(seen.left, box.left);
        seen.right = Math.min(seen.right, box.right);
      }
    }
    if (!scrollsDown && overflowY !== "visible") {
      if (!now && (overflowY === "auto" || overflowY === "scroll")) scrollsDown = true;
      else {
        seen.top = Math.max(seen.top, box.top);
        seen.bottom = Math.min(seen.bottom, box.bottom);
      }
    }
  }
  return seen;
}

/** Whether nothing but the page itself could be scrolled to show all of it. */
function sticksOut(element) {
  const { right } = element.getBoundingClientRect();
  const { left: from, right: to } = reach(element);
  return right > innerWidth + SLACK && to - from >= innerWidth;
}

// 1. No room scrolls sideways.
scrollTo(1, 0);
if (scrollX > 0) faults.push(`the page scrolls sideways for ${[...document.querySelectorAll("body *")].filter(sticksOut).map(named).join(", ")}`);
scrollTo(0, 0);
for (const element of root.querySelectorAll("*")) {
  if (element.scrollWidth <= element.clientWidth + SLACK || element.clientWidth === 0) continue;
  const { overflowX } = styleOf(element);
  if (overflowX !== "auto" && overflowX !== "scroll") continue;
  if (element.matches(MAY_SCROLL) || element.matches("input, textarea") || !isShown(element)) continue;
  faults.push(`scrolls sideways: ${named(element)} holds ${element.scrollWidth} in ${element.clientWidth}`);
}

// 2. No control is cut off. 3. None is too small to be hit.
const targets = [];
for (const element of root.querySelectorAll(CONTROLS)) {
  if (!isShown(element) || element.matches("[contenteditable], main, section, [role=region], [role=tree], [role=listbox]")) continue;
  const label = element.matches("input") ? element.closest("label") : null;
  const box = element.getBoundingClientRect();
  const seen = reach(element);
  const over = Math.max(seen.left - box.left, box.right - seen.right, seen.top - box.top, box.bottom - seen.bottom);
  if (over > SLACK && !element.closest(GOES_ON)) faults.push(`cut off by ${px(over)}: ${named(element)}`);
  targets.push({ element, box: hitBox(element, label) });
}

/** Where a press is taken, a label and what is drawn around it for the purpose included. */
function hitBox(element, label) {
  // A label that only holds its parts together has no place of its own.
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

/** A link within a sentence is as high as its line (WCAG 2.5.8, the exception “inline”). */
function isInline(element) {
  return element.localName === "a" && styleOf(element).display === "inline" && element.closest("p, li, td, th, blockquote, h1, h2, h3, h4, h5, h6, dd") !== null;
}

for (const { element, box } of targets) {
  if (box.width >= LEAST - 0.5 && box.height >= LEAST - 0.5) continue;
  if (isInline(element) || element.matches("[role=separator]")) continue;
  // The exception “spacing”: a circle of 24 pixels around its middle meets no other target.
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const near = targets.find((other) => {
    if (other.element === element || other.element.contains(element) || element.contains(other.element)) return false;
    const dx = Math.max(other.box.left - x, 0, x - other.box.right);
    const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
    return Math.hypot(dx, dy) < LEAST / 2;
  });
  if (near) faults.push(`too small to hit (${px(box.width)} × ${px(box.height)}): ${named(element)} beside ${named(near.element)}`);
}

// 4. No text lies over another, and none is cut without a sign.
/** What floats above the rest, and hides it. */
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
  const [seen, shown] = [false, true].map((now) => reach(element, { now, within: element }));
  const layer = layerOf(element);
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    const cut = Math.max(seen.left - box.left, box.right - seen.right);
    if (cut > 2 && !saysThatItIsCut(element)) faults.push(`text is cut off by ${px(cut)}: ${named(element)}`);
    const left = Math.max(box.left, shown.left);
    const right = Math.min(box.right, shown.right);
    // The middle of a line: what a font reserves above and below it meets the next one's.
    const top = Math.max(box.top + box.height * 0.25, shown.top);
    const bottom = Math.min(box.bottom - box.height * 0.25, shown.bottom);
    if (right - left < 2 || bottom - top < 2) continue;
    lines.push({ node, element, layer, left, right, top, bottom });
  }
}

function saysThatItIsCut(element) {
  for (let at = element; at !== null && at !== root; at = at.parentElement) {
    if (styleOf(at).textOverflow === "ellipsis" || at.matches(MAY_SCROLL)) return true;
  }
  return false;
}

lines.sort((a, b) => a.top - b.top);
const told = new Set();
for (let one = 0; one < lines.length; one += 1) {
  for (let two = one + 1; two < lines.length && lines[two].top < lines[one].bottom; two += 1) {
    const [a, b] = [lines[one], lines[two]];
    if (a.node === b.node || a.layer !== b.layer) continue;
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide < 2 || high < 2) continue;
    const fault = `text over text: ${named(a.element)} and ${named(b.element)}`;
    if (!told.has(fault)) faults.push(fault);
    told.add(fault);
  }
}

return faults;

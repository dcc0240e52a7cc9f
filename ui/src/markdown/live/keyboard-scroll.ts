// Makes elements that scroll reachable by keyboard.

export function makeKeyboardScrollable(elements: Iterable<HTMLElement>): void {
  for (const element of elements) {
    if (element.scrollWidth > element.clientWidth && element.clientWidth > 0) element.tabIndex = 0;
  }
}

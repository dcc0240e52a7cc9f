// Makes elements that scroll reachable by keyboard.

export function makeReachable(elements: Iterable<HTMLElement>): void {
  for (const element of elements) {
    if (element.scrollWidth > element.clientWidth && element.clientWidth > 0) element.tabIndex = 0;
  }
}

// Detection of keys for a composing input method. WebKitGTK may report them only by the key code 229.
export function isComposing(event: KeyboardEvent): boolean {
  // `keyCode` is deprecated, and the only report of some engines.
  return event.isComposing || event.keyCode === 229;
}

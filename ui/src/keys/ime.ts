// Whether a key belongs to an input method that is composing. WebKitGTK may say so only by the key code 229.
export function isComposing(event: KeyboardEvent): boolean {
  // `keyCode` is deprecated, and the only thing that some engines tell.
  return event.isComposing || event.keyCode === 229;
}

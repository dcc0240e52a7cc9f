// Stubs for CodeMirror that the tests' document lacks: boxes of ranges of text. None has a size.
const NONE = Object.assign([], { item: () => null }) as unknown as DOMRectList;

Range.prototype.getClientRects = () => NONE;
Range.prototype.getBoundingClientRect = () => new DOMRect();

// What one reads and writes stays where it is on the screen when something above it takes room, or gives it back.
import type { Attachment } from "svelte/attachments";

/** `shift` is told by how much more room the element takes than before, in pixels, before the frame is drawn. */
export function holdStill(shift: (by: number) => void): Attachment<HTMLElement> {
  return (element) => {
    let height: number | null = null;
    const observer = new ResizeObserver((entries) => {
      const now = entries.at(-1)?.borderBoxSize[0]?.blockSize ?? 0;
      if (height !== null && now !== height) shift(now - height);
      height = now;
    });
    observer.observe(element);
    return () => observer.disconnect();
  };
}

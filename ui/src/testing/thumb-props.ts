// A thumbnail with nothing known but its addresses, and not in view yet.
import { FakeBackend } from "./fake-backend";

export const thumbProps = {
  url: "/thumb/a",
  aheadUrl: "/thumb/a?ahead",
  folders: new FakeBackend().folders,
  isCalm: true,
  isVisible: false,
  entry: { name: "a.jpg", kind: "picture" as const, size: 1, mtime: "2026-11-20T00:00:00Z" },
  embedded: "/embedded/a",
};

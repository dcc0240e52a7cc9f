// Notes for pages that are being edited in another window or tab of the same browser: its editor adds them.
import { uuidV4 } from "../../../editing/locks/tab-id";

const CHANNEL = "fumikura.note-relay";
/** An editor answers at once; milliseconds. */
const PATIENCE = 500;

interface Request {
  id: string;
  path: string;
  note: string;
}

interface Answer {
  added: string;
}

/** The used part of a BroadcastChannel. */
export type RelayChannel = Pick<BroadcastChannel, "postMessage" | "addEventListener" | "close">;

type Editors = ReadonlyMap<string, (text: string) => void>;

/** Null in an engine without channels: the windows then do not know of each other. */
const openChannel = (): RelayChannel | null => (typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL));

/** Adds the notes of other windows to the pages that are being edited here; returns a function that stops it. */
export function serveNotes(editors: Editors, channel = openChannel()): () => void {
  channel?.addEventListener("message", ({ data }: MessageEvent<Request | Answer>) => {
    if (!("note" in data)) return;
    const add = editors.get(data.path);
    if (add === undefined) return;
    add(data.note);
    channel.postMessage({ added: data.id } satisfies Answer);
  });
  return () => channel?.close();
}

/** Gives a note to the window that edits the page at this path. Returns false if none does. */
export async function addElsewhere(path: string, note: string, channel = openChannel()): Promise<boolean> {
  if (channel === null) return false;
  const id = uuidV4();
  const added = new Promise<boolean>((resolve) => {
    const timeout = setTimeout(() => resolve(false), PATIENCE);
    channel.addEventListener("message", ({ data }: MessageEvent<Request | Answer>) => {
      if (!("added" in data) || data.added !== id) return;
      clearTimeout(timeout);
      resolve(true);
    });
  });
  channel.postMessage({ id, path, note } satisfies Request);
  try {
    return await added;
  } finally {
    channel.close();
  }
}

// An id that belongs to one tab alone (docs/spec/wiki.md, Tab ids). Duplicating a tab copies its session storage, so a tab asks
// the others whether its id is already somebody's, and takes a new one if it is. A busy tab may answer too late: each
// also holds its id as a lock of the browser's, which needs nobody to answer.

/** The same in every tab of this origin. */
const CHANNEL = "fumikura.tab-id";
const KEY = "fumikura.tab-id";
const WAIT_MS = 50;
/** As long a document that is being reloaded may take to let go of its id. */
const LET_GO_MS = 1_000;

type Message = { kind: "ask" | "existing"; id: string; nonce: string };

/** The part of a BroadcastChannel that is used. */
export type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener">;

export interface TabIdPlaces {
  channel: Channel;
  storage: Pick<Storage, "getItem" | "setItem">;
  newId: () => string;
  wait: (ms: number) => Promise<void>;
  /** Holds an id as long as the document lives; false when another still has it after so long. */
  hold: (id: string, patience: number) => Promise<boolean>;
}

let claimed: Promise<string> | null = null;

/** This tab's id, claimed once for as long as the tab shows this document. */
export function tabId(): Promise<string> {
  return (claimed ??= claimTabId());
}

/**
 * Claims an id. The channel stays open as long as the tab lives, to answer those who ask.
 * Nothing waits on the screen: about 50 ms pass before the promise is kept, and a second more where the id is another's
 * and that one does not say so.
 */
export async function claimTabId(places: TabIdPlaces = browserPlaces()): Promise<string> {
  const { channel, storage, newId, wait, hold } = places;
  const nonce = newId();
  let own = storage.getItem(KEY);
  let taken = false;
  channel.addEventListener("message", (event: MessageEvent<unknown>) => {
    const message = readMessage(event.data);
    if (message === null || message.id !== own) return;
    if (message.kind === "existing") taken ||= message.nonce === nonce;
    else if (message.nonce !== nonce) channel.postMessage({ kind: "existing", id: own, nonce: message.nonce } satisfies Message);
  });
  if (own === null) storage.setItem(KEY, (own = newId()));
  channel.postMessage({ kind: "ask", id: own, nonce } satisfies Message);
  await wait(WAIT_MS);
  if (taken || !(await hold(own, LET_GO_MS))) {
    storage.setItem(KEY, (own = newId()));
    await hold(own, LET_GO_MS);
  }
  return own;
}

function browserPlaces(): TabIdPlaces {
  // Outside of secure contexts there are none, and what the others answer decides alone.
  const { locks } = navigator as Partial<Navigator>;
  return {
    channel: new BroadcastChannel(CHANNEL),
    storage: sessionStorage,
    newId: uuidV4,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    hold: async (id, patience) => locks === undefined || (await holdByLock(locks, id, patience)),
  };
}

function holdByLock(locks: LockManager, id: string, patience: number): Promise<boolean> {
  const signal = AbortSignal.timeout(patience);
  return new Promise((resolve) => {
    const holding = locks.request(`${KEY}.${id}`, { signal }, () => {
      resolve(true);
      return new Promise<void>(() => {});
    });
    // What is not a wait that took too long says nothing about the others.
    holding.catch(() => resolve(!signal.aborted));
  });
}

/** `crypto.randomUUID` exists in secure contexts only, and a reverse proxy may serve us over plain HTTP. */
export function uuidV4(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function readMessage(data: unknown): Message | null {
  if (typeof data !== "object" || data === null) return null;
  const { kind, id, nonce } = data as Partial<Record<keyof Message, unknown>>;
  const known = kind === "ask" || kind === "existing";
  return known && typeof id === "string" && typeof nonce === "string" ? { kind, id, nonce } : null;
}

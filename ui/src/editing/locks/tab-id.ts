// An id that is unique to one tab (docs/spec/wiki.md, Tab ids). Duplicating a tab copies its session storage, so a tab
// asks the others whether its id is in use, and takes a new one if it is. A busy tab may answer too late: each also
// holds its id as a lock of the browser's, which needs no answer.

/** The same in every tab of this origin. */
const CHANNEL = "fumikura.tab-id";
const KEY = "fumikura.tab-id";
const WAIT_MS = 50;
/** The time that a reloading document may take to release its id. */
const RELEASE_MS = 1_000;

type Message = { kind: "ask" | "existing"; id: string; nonce: string };

/** The used part of a BroadcastChannel. */
export type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener">;

export interface TabIdPlaces {
  channel: Channel;
  storage: Pick<Storage, "getItem" | "setItem">;
  newId: () => string;
  wait: (ms: number) => Promise<void>;
  /** Holds an id as long as the document exists; false if another still has it after so long. */
  hold: (id: string, patience: number) => Promise<boolean>;
}

let claimed: Promise<string> | null = null;

/** This tab's id, claimed once for as long as the tab shows this document. */
export function tabId(): Promise<string> {
  return (claimed ??= claimTabId());
}

/**
 * Claims an id. The channel stays open as long as the tab exists, to answer other tabs. The screen does not wait for it:
 * the promise resolves after about 50 ms, and a second later if the id belongs to another tab that does not answer.
 */
export async function claimTabId(places: TabIdPlaces = browserPlaces()): Promise<string> {
  const { channel, storage, newId, wait, hold } = places;
  const nonce = newId();
  let own = storage.getItem(KEY);
  let isTaken = false;
  channel.addEventListener("message", (event: MessageEvent<unknown>) => {
    const message = readMessage(event.data);
    if (message === null || message.id !== own) return;
    if (message.kind === "existing") isTaken ||= message.nonce === nonce;
    else if (message.nonce !== nonce) channel.postMessage({ kind: "existing", id: own, nonce: message.nonce } satisfies Message);
  });
  if (own === null) storage.setItem(KEY, (own = newId()));
  channel.postMessage({ kind: "ask", id: own, nonce } satisfies Message);
  await wait(WAIT_MS);
  if (isTaken || !(await hold(own, RELEASE_MS))) {
    storage.setItem(KEY, (own = newId()));
    await hold(own, RELEASE_MS);
  }
  return own;
}

function browserPlaces(): TabIdPlaces {
  // Absent outside secure contexts; then only the answers of the others decide.
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
    // An error other than a timeout says nothing about the other tabs.
    holding.catch(() => resolve(!signal.aborted));
  });
}

/**
 * Creates a UUID. `crypto.randomUUID` exists in secure contexts only, and a reverse proxy may serve us over plain HTTP.
 */
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
  const isKnown = kind === "ask" || kind === "existing";
  return isKnown && typeof id === "string" && typeof nonce === "string" ? { kind, id, nonce } : null;
}

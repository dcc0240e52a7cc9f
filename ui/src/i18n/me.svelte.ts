// The name of the current user: messages address the user differently from others.
let name = $state<string | null>(null);

export function setMe(me: string | null): void {
  name = me;
}

/** True if a name is the current user's. */
export function isMe(user: string | null | undefined): boolean {
  return name !== null && user === name;
}

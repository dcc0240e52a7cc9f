// Who is here: what is said of others is said otherwise of oneself.
let name = $state<string | null>(null);

export function setMe(me: string | null): void {
  name = me;
}

/** Whether a name is that of the person who is here. */
export function isMe(user: string | null | undefined): boolean {
  return name !== null && user === name;
}

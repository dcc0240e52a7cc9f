// The keys of an unsaved text that is offered. They are for the first one.
export const OFFER_KEYS = { take: "Mod+Shift+o", compare: "Mod+Shift+d", discard: "Mod+Shift+x" } as const;

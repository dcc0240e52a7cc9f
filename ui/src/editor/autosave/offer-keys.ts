// The keys for the first unsaved text on offer.
export const OFFER_KEYS = { take: "Mod+Shift+o", compare: "Mod+Shift+d", discard: "Mod+Shift+x" } as const;

// The English messages of all folders, as a chunk of their own.
import { merged } from "./merged";
import type { Catalogue } from "./message";

export const words = merged(import.meta.glob<Catalogue>("../**/words.en.ts", { eager: true, import: "words" }));

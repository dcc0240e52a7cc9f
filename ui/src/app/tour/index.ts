// The tour, whose code is fetched when it is shown: most starts do not need it.
import { once } from "../../view/definition";

export const loadTour = once(() => import("./Tour.svelte"));

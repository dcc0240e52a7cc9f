// The props of a route's view.
import type { Host } from "../../api/host";
import type { PreloadedPage } from "../../wiki";
import type { ModuleOf, RouteName, RouteOf } from "../routes";

export interface ViewProps<Name extends RouteName> {
  /** The current address of the visit. */
  route: RouteOf<Name>;
  /** The code that the route's `load` has fetched. */
  module: ModuleOf<Name>;
  host: Host;
  /** The data of the first page, which was requested ahead; null after the first call. */
  initialPage: () => PreloadedPage | null;
  /** True if the window or tab was opened with this address. */
  isFirst: boolean;
}

// Pages of the same name in one list: each also states its place.
import { lineageOf } from "../../markdown/page-path";

interface Named {
  path: string;
  label: string;
}

/**
 * Returns the places of pages that share their name with another, by path: the page above, or the whole path if that is
 * shared too.
 */
export function placesOfDuplicates(pages: readonly Named[]): Map<string, string> {
  const placeOf = ({ path }: Named) => lineageOf(path).at(-2) ?? "/";
  const isShared = (page: Named, isSame: (other: Named) => boolean) => pages.some((other) => other.path !== page.path && other.label === page.label && isSame(other));
  const twins = pages.filter((page) => isShared(page, () => true));
  return new Map(twins.map((page) => [page.path, isShared(page, (other) => placeOf(other) === placeOf(page)) ? page.path : placeOf(page)]));
}

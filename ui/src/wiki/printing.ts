// A page on paper: all of it, with what a screen shows only when it is asked for.

/** Pictures that do not come within this time are missing on paper, in milliseconds. */
const PATIENCE = 10_000;

/** Shows what is closed, and where links outside lead; returns how to take that back. */
export function unfold(article: HTMLElement): () => void {
  const closed = [...article.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
  for (const details of closed) details.open = true;
  for (const link of article.querySelectorAll<HTMLAnchorElement>("a[data-external]")) {
    const isSpelledOut = link.textContent.replace(/\/$/, "") === link.href.replace(/\/$/, "");
    if (!isSpelledOut) link.dataset["printed"] = link.href.replace(/^mailto:/, "");
  }
  return () => {
    for (const details of closed) details.open = false;
    for (const link of article.querySelectorAll<HTMLElement>("a[data-printed]")) delete link.dataset["printed"];
  };
}

/** Resolves when all pictures are there, or have failed, or have taken too long. */
export async function picturesOf(article: HTMLElement): Promise<void> {
  const pictures = [...article.querySelectorAll("img")];
  for (const picture of pictures) picture.loading = "eager";
  const all = Promise.allSettled(pictures.map((picture) => picture.decode()));
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
}

/** Has what is drawn in the colours of a dark theme drawn in light ones; returns how to take that back. */
export function lighten(): () => void {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset["theme"] = "light";
  return () => {
    if (theme === undefined) delete dataset["theme"];
    else dataset["theme"] = theme;
  };
}

// An image that is asked for as long as its place is there, and no longer.
import type { Attachment } from "svelte/attachments";

export interface ImageSource {
  url: string;
  priority: "high" | "low" | "auto";
}

interface ImageRequest {
  ask(source: ImageSource): void;
  /** Nobody waits for it any more. What has come stays. */
  giveUp(): void;
}

/**
 * Shows what is at an address, also when that becomes another one: until the other image comes, the former stays. Until the
 * first one is whole the element is hidden: WebKit outlines an image without an address, and engines paint what has come of one.
 */
export function shows(source: () => ImageSource): Attachment<HTMLImageElement> {
  return (image) => {
    image.style.visibility = "hidden";
    image.addEventListener("load", () => image.style.removeProperty("visibility"), { once: true });
    const request = fetchesToTheEnd() ? new FetchedRequest(image) : new OwnRequest(image);
    let asked = "";
    $effect(() => {
      const { url, priority } = source();
      if (url === asked) return;
      asked = url;
      request.ask({ url, priority });
    });
    return () => request.giveUp();
  };
}

/** WebKit goes on with what an image has asked for when its address is taken away, and the server goes on making it. */
function fetchesToTheEnd(): boolean {
  return navigator.vendor.startsWith("Apple");
}

/** The element asks by itself, and ends that when it loses its address. */
class OwnRequest implements ImageRequest {
  readonly #image: HTMLImageElement;
  #hasCome = false;

  constructor(image: HTMLImageElement) {
    this.#image = image;
    image.addEventListener("load", () => (this.#hasCome = true));
  }

  ask({ url, priority }: ImageSource): void {
    this.#hasCome = false;
    this.#image.setAttribute("fetchpriority", priority);
    this.#image.src = url;
  }

  giveUp(): void {
    if (!this.#hasCome) this.#image.removeAttribute("src");
  }
}

/** The page asks for the element. */
class FetchedRequest implements ImageRequest {
  readonly #image: HTMLImageElement;
  #asking = new AbortController();

  constructor(image: HTMLImageElement) {
    this.#image = image;
  }

  ask({ url, priority }: ImageSource): void {
    this.#asking.abort();
    this.#asking = new AbortController();
    void this.#fetch(url, { priority, signal: this.#asking.signal });
  }

  giveUp(): void {
    this.#asking.abort();
  }

  async #fetch(url: string, init: RequestInit & { signal: AbortSignal }): Promise<void> {
    try {
      const response = await fetch(url, init);
      if (!response.ok) throw new Error(`${response.status}`);
      const blob = await response.blob();
      init.signal.throwIfAborted();
      this.#show(URL.createObjectURL(blob));
    } catch {
      // As the element itself would tell it, which knows no reason either.
      if (!init.signal.aborted) this.#image.dispatchEvent(new Event("error"));
    }
  }

  #show(address: string): void {
    const forget = () => URL.revokeObjectURL(address);
    this.#image.addEventListener("load", forget, { once: true });
    this.#image.addEventListener("error", forget, { once: true });
    this.#image.src = address;
  }
}

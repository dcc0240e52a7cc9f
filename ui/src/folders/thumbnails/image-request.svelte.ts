// An image that is requested only as long as its place exists.
import type { Attachment } from "svelte/attachments";

export interface ImageSource {
  url: string;
  priority: "high" | "low" | "auto";
}

interface ImageRequest {
  ask(source: ImageSource): void;
  /** Aborts the request. A loaded image stays. */
  abort(): void;
}

/**
 * Shows the image at an address that may change: until the new image loads, the previous one stays. The element is
 * hidden until the first image is complete: WebKit outlines an image without an address, and engines paint partly
 * loaded ones.
 */
export function lazyImage(source: () => ImageSource): Attachment<HTMLImageElement> {
  return (image) => {
    image.style.visibility = "hidden";
    image.addEventListener("load", () => image.style.removeProperty("visibility"), { once: true });
    const request = fetchesToTheEnd() ? new FetchedRequest(image) : new OwnRequest(image);
    let requestedUrl = "";
    $effect(() => {
      const { url, priority } = source();
      if (url === requestedUrl) return;
      requestedUrl = url;
      request.ask({ url, priority });
    });
    return () => request.abort();
  };
}

/**
 * True for WebKit, which continues the request of an image whose address was removed, so that the server continues the
 * work.
 */
function fetchesToTheEnd(): boolean {
  return navigator.vendor.startsWith("Apple");
}

/** A request by the element itself, which ends when the element loses its address. */
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

  abort(): void {
    if (!this.#hasCome) this.#image.removeAttribute("src");
  }
}

/** A request by the page on behalf of the element. */
class FetchedRequest implements ImageRequest {
  readonly #image: HTMLImageElement;
  #request = new AbortController();

  constructor(image: HTMLImageElement) {
    this.#image = image;
  }

  ask({ url, priority }: ImageSource): void {
    this.#request.abort();
    this.#request = new AbortController();
    void this.#fetch(url, { priority, signal: this.#request.signal });
  }

  abort(): void {
    this.#request.abort();
  }

  async #fetch(url: string, init: RequestInit & { signal: AbortSignal }): Promise<void> {
    try {
      const response = await fetch(url, init);
      if (!response.ok) throw new Error(`${response.status}`);
      const blob = await response.blob();
      init.signal.throwIfAborted();
      this.#show(URL.createObjectURL(blob));
    } catch {
      // The event of the element itself, which carries no reason either.
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

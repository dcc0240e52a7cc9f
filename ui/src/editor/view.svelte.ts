// How the editor was last looked at; kept from page to page as long as the window is open.
class View {
  /** Whether the preview stands beside the text. */
  preview = $state(true);
  /** What is shown where only one of the two fits. */
  tab = $state<"write" | "preview">("write");
  /** The preview's width in pixels; half of the room until somebody drags it. */
  width = $state<number | null>(null);
}

export const view = new View();

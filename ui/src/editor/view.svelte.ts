// How the editor was last looked at where it is narrow; kept from page to page as long as the window is open.
class View {
  /** What is shown where only one of the two fits. */
  tab = $state<"write" | "preview">("write");
}

export const view = new View();

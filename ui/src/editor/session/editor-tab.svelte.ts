// The editor's last tab in a narrow window; kept from page to page as long as the window is open.
class View {
  /** The visible part if only one of the two fits. */
  tab = $state<"write" | "preview">("write");
}

export const view = new View();

// How the person likes to see differences, as long as the page is open.

class Taste {
  sideBySide = $state(false);
}

export const taste = new Taste();

// The user's preferences for diffs, kept as long as the page is open.

class DiffPreferences {
  sideBySide = $state(false);
}

export const diffPreferences = new DiffPreferences();

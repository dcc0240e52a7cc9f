// The key that shows or hides the link map.
export const MAP_KEY = "Shift+l";

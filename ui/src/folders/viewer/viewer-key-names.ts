// The keys of the picture in the viewer.
export const INFO_KEY = "i";
export const ZOOM_IN_KEY = "+";
export const ZOOM_OUT_KEY = "-";
export const ACTUAL_KEY = "z";
export const FIT_KEY = "Shift+z";
export const FILL_KEY = "w";
export const TURN_RIGHT_KEY = "r";
export const TURN_LEFT_KEY = "Shift+r";
export const KEEP_KEY = "Shift+l";
export const FULL_KEY = "f";
export const FILMSTRIP_KEY = "m";
export const SLIDESHOW_KEY = "s";
export const LONGER_KEY = ">";
export const SHORTER_KEY = "<";

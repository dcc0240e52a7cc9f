// The keys of the folder view and of the picture in the viewer. The keys of an operation are beside the operation.

export const FILTER_KEY = "/";
/** Shows the filter bar. */
export const FILTER_BAR_KEY = "Shift+f";
export const UNFILTER_KEY = "u";
export const SORT_KEY = "s";
export const ORDER_KEY = "Shift+s";
export const GROUP_KEY = "g";
/** Joins the files of a picture, or shows them apart. */
export const JOIN_KEY = "Shift+j";
/** Shows the folder as a list, or as a grid. */
export const LAYOUT_KEY = "Shift+v";
export const OWN_FOLDER_KEY = "Shift+o";
/** Starts a name, as single letters are keys of the view. */
export const GO_TO_KEY = "'";
export const COMPARE_KEY = "c";
export const LARGER_KEY = "+";
export const SMALLER_KEY = "-";

export const INFO_KEY = "i";
/** Shows a turned or cropped picture as its own file has it. */
export const ORIGINAL_KEY = "\\";
export const ZOOM_IN_KEY = "+";
export const ZOOM_OUT_KEY = "-";
export const ACTUAL_KEY = "z";
export const FIT_KEY = "Shift+z";
export const FILL_KEY = "w";
export const TURN_RIGHT_KEY = "r";
export const TURN_LEFT_KEY = "Shift+r";
export const KEEP_KEY = "Shift+l";
/** Links the views of compared pictures, or lets each have its own. */
export const LINK_KEY = "Shift+l";
export const FULL_KEY = "f";
/** Shows the next file of a picture that has several. */
export const FILE_KEY = "y";
export const FILMSTRIP_KEY = "m";
/** Plays or pauses an animated picture. */
export const PLAY_KEY = "p";
export const NEXT_FRAME_KEY = "Shift+ArrowRight";
export const PREVIOUS_FRAME_KEY = "Shift+ArrowLeft";
export const SLIDESHOW_KEY = "s";
export const LONGER_KEY = ">";
export const SHORTER_KEY = "<";

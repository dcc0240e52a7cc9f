/** The visibility of the toolbar, which is one of the user's settings. */
export interface ToolbarSetting {
  shown: boolean;
  set: (shown: boolean) => void;
}

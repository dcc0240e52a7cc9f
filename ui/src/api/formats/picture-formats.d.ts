// The module that the build makes of docs/FORMATS.md (build/picture-formats.ts).
declare module "virtual:picture-formats" {
  interface PictureFormat {
    /** The name on the screen; some formats share one. */
    readonly label: string;
    /** The name of the type in filters of folders; some formats share one. */
    readonly filter: string;
    readonly mime: string;
    readonly extensions: readonly string[];
  }

  export const PICTURE_FORMATS: readonly PictureFormat[];
}

// The error of an action that needs a stable folder.

/** The folder changed repeatedly while it was read. */
export class FolderChangedError extends Error {}

// The address of a backup: its name, the filter of its pages, and the page that is open.

const PREFIX = "/backups/";

export interface BackupPlace {
  /** The name of the backup's folder. */
  name: string;
  /** Empty for all pages. */
  filter: string;
  /** The id of the open page; null for the list. */
  page: string | null;
}

/** Parses an address of a backup; null for any other address. */
export function parseBackupAddress({ pathname, searchParams }: URL): BackupPlace | null {
  if (!pathname.startsWith(PREFIX)) return null;
  const written = pathname.slice(PREFIX.length);
  if (written === "" || written.includes("/")) return null;
  return { name: decodeURIComponent(written), filter: searchParams.get("filter") ?? "", page: searchParams.get("page") };
}

export function backupAddress({ name, filter = "", page = null }: Partial<BackupPlace> & Pick<BackupPlace, "name">): string {
  const query = new URLSearchParams({ ...(filter !== "" && { filter }), ...(page !== null && { page }) }).toString();
  return `${PREFIX}${encodeURIComponent(name)}${query === "" ? "" : `?${query}`}`;
}

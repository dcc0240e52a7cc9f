// A backup, as a view.
import { parseBackupAddress } from "../api/addresses/backup-address";
import { defineView, once } from "../view/definition";

export const loadBackup = once(() => import("./BackupView.svelte"));

export const backup = defineView({
  addresses: ["/backups/*"],
  title: "backups.title",
  section: "settings",
  parse: parseBackupAddress,
  visit: ({ name }) => name,
  load: loadBackup,
  component: (code) => code.default,
});

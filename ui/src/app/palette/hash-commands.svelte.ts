// Commands of the hash records for all other views: they open the hash records and start there.
import { HASHES_ADDRESS } from "../../api/addresses/hashes-address";
import { t } from "../../i18n";
import type { App } from "../app.svelte";
import type { Registered } from "../keys/shortcuts.svelte";

interface HashCommand {
  id: string;
  label: string;
  run: () => Promise<void>;
}

/** The view of the hash records registers its own commands. */
export function hashCommands(app: App): HashCommand[] {
  if (app.router.route.name === "hashes") return [];
  const commands = [
    { id: "hash-verify", label: t("hashes.verify") },
    { id: "hash-record", label: t("hashes.record") },
    { id: "hash-import", label: t("hashes.import") },
    { id: "hash-export", label: t("hashes.export") },
  ];
  return commands.map(({ id, label }) => ({ id, label, run: () => openAndRun(app, id) }));
}

async function openAndRun(app: App, id: string): Promise<void> {
  if (!(await app.router.navigate(HASHES_ADDRESS))) return;
  const command = await registered(app, id);
  if (command !== null) app.shortcuts.run(command);
}

/** The command once the view has registered it; null if the user has left before. */
function registered(app: App, id: string): Promise<Registered | null> {
  return new Promise((resolve) => {
    const end = $effect.root(() => {
      $effect(() => {
        const isLeft = app.router.route.name !== "hashes";
        const found = app.shortcuts.all.find((shortcut) => shortcut.id === id);
        if (found === undefined && !isLeft) return;
        resolve(found ?? null);
        // An effect cannot end its own root while it runs.
        queueMicrotask(end);
      });
    });
  });
}

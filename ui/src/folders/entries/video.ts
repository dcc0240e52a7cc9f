// Videos among the entries of a folder.
import type { FolderEntry } from "../../api/backend";

/** Returns the type by the name, in capitals: "MP4". */
export function typeOf({ name }: Pick<FolderEntry, "name">): string {
  return name.slice(name.lastIndexOf(".") + 1).toUpperCase();
}

/** Returns a duration in milliseconds as on a player: "0:05", "12:34", "10:00:00". */
export function formatDuration(milliseconds: number): string {
  const whole = Math.max(1, Math.round(milliseconds / 1000));
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

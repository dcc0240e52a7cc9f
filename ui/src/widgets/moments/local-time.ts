// Moments as text, in the time zone of the browser: "2026-05-12 14:30". In WebKit, the Tab key does not leave an
// `<input type="datetime-local">`.

const WRITTEN = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\s*(\d{1,2}):(\d{2}))?$/;

/** The minute of a moment. */
export function localTime(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const date = [String(moment.getFullYear()).padStart(4, "0"), two(moment.getMonth() + 1), two(moment.getDate())];
  return `${date.join("-")} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/**
 * The end of a minute or of a day, so that everything that happened in it is there; the present at most. Null if it is no
 * time.
 */
export function fromLocalTime(value: string, now = new Date()): Date | null {
  // Digits from a Japanese keyboard are wide.
  const parts = WRITTEN.exec(value.normalize("NFKC").trim());
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0] = parts.slice(1, 4).map(Number);
  const isDay = parts[4] === undefined;
  const [hour, minute] = isDay ? [0, 0] : parts.slice(4).map(Number);
  const start = new Date(year, month - 1, day, hour, minute);
  // `Date` takes the 31st of April as the 1st of May.
  const isReal = start.getMonth() === month - 1 && start.getDate() === day && start.getHours() === hour;
  if (!isReal || (minute ?? 0) > 59) return null;
  const end = isDay ? new Date(new Date(year, month - 1, day + 1).getTime() - 1) : new Date(start.getTime() + 59_999);
  return start <= now && end > now ? now : end;
}

// Moments in the form of `<input type="datetime-local">`, in the time zone of the browser.

/** The minute of a moment. */
export function localTime(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const date = [String(moment.getFullYear()).padStart(4, "0"), two(moment.getMonth() + 1), two(moment.getDate())];
  return `${date.join("-")}T${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

/** The end of a minute, so that everything that happened in it is there; the present at most. Null if it is no time. */
export function fromLocalTime(value: string, now = new Date()): Date | null {
  const start = new Date(value);
  if (value === "" || Number.isNaN(start.getTime())) return null;
  const end = new Date(start.getTime() + 59_999);
  return start <= now && end > now ? now : end;
}

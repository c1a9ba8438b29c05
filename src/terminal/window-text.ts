const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Formats days of the week, where 1 is Monday: `Mon–Fri`, `Mon, Wed`, `every day`. */
export function daysText(days: readonly number[]): string {
  if (days.length === 7) return 'every day';
  const runs: number[][] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const name = (day: number | undefined) => DAYS[(day ?? 1) - 1] ?? '';
  return runs.flatMap((run) => (run.length > 2 ? [`${name(run[0])}–${name(run.at(-1))}`] : run.map(name))).join(', ');
}

/** Formats hours of a day: `9–12 and 14–17`, `at any hour`. @param windows such as `9-12` */
export function hoursText(windows: readonly string[]): string {
  if (windows.includes('0-24')) return 'at any hour';
  return windows.map((window) => window.replace('-', '–')).join(' and ');
}

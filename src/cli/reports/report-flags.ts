import { Flags } from '@oclif/core';
import { dayText, PAST_TIMES, type TimeFrame } from '../instant.ts';

/** The flags of the commands that print a report. */
export const reportFlags = {
  csv: Flags.boolean({ description: 'print CSV with a header row', exclusive: ['json'] }),
  since: Flags.string({ description: `only emails sent on this day or later, ${PAST_TIMES}`, helpValue: 'T' }),
  until: Flags.string({ description: 'only emails sent up to this day, included, such as 2026-03-31 or yesterday', helpValue: 'T' }),
};

/** The flags of the commands that write a report as a page. */
export const pageFlags = {
  html: Flags.string({ description: 'write a page with charts, to read or print, to this file', helpValue: 'FILE', exclusive: ['csv'] }),
  logo: Flags.string({ description: 'image at the top of the page: PNG, JPEG, GIF or WebP', helpValue: 'FILE', dependsOn: ['html'] }),
  sender: Flags.string({ description: 'who made the report, as the page says', helpValue: 'NAME', dependsOn: ['html'] }),
};

/** The usage of a command with all of these flags and those of `weekly.ts`. oclif would name a flag once and leave a gap if several depend on it. */
export const pageUsage = (command: string, by: string): string =>
  `${command} [--debug] [--data-dir DIR] [--key K] [--url U] [--workspace W] [--since T] [--until T] ${by}` +
  ' [--csv | --json | --html FILE [--logo FILE] [--sender NAME]] [--email TO --weekly [--off]]';

/** The days of a report in the flags. @param frame see `instantText` */
export async function reportDays(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  frame: () => Promise<TimeFrame>,
): Promise<{ since?: string; until?: string }> {
  if (since === undefined && until === undefined) return {};
  const given = await frame();
  return {
    ...(since === undefined ? {} : { since: dayText(since, '--since', given) }),
    ...(until === undefined ? {} : { until: dayText(until, '--until', given) }),
  };
}

import { Flags } from '@oclif/core';

/** The flags of the commands that print a report. */
export const reportFlags = {
  csv: Flags.boolean({ description: 'print CSV with a header row', exclusive: ['json'] }),
  since: Flags.string({ description: 'only emails sent on this day or later, such as 2026-03-01', helpValue: 'T' }),
  until: Flags.string({ description: 'only emails sent up to this day, included', helpValue: 'T' }),
};

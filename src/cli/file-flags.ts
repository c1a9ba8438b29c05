import { Flags } from '@oclif/core';

/** The flag of every command that reads a CSV file. */
export const SKIP_LINES = Flags.integer({
  description: 'lines above the header, if it is not found',
  min: 0,
  max: 1000,
  helpValue: 'N',
});

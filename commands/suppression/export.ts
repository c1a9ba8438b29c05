import { Readable } from 'node:stream';
import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { csv, readList } from '../../src/cli/list-output.ts';
import { printAsIs } from '../../src/cli/terminal.ts';
import { quantity } from '../../src/core/english.ts';
import { invalid } from '../../src/core/errors.ts';
import { writeWhole } from '../../src/files/output-file.ts';

const COLUMNS = ['email', 'reason', 'created_at'];

export default class SuppressionExport extends ClientCommand {
  static override description = 'Export the suppressed addresses and domains as CSV\n\nsuppression import reads the file.';
  static override examples = ['<%= config.bin %> suppression export suppressed.csv'];
  static override args = { file: Args.string({ description: 'file to write (default: stdout)' }) };

  async run() {
    const { args, flags } = await this.parse(SuppressionExport);
    if (args.file === undefined && this.jsonEnabled())
      throw invalid('--json requires a FILE; to print suppressions as JSON, use suppression list --all --json');
    const api = await this.client(flags);
    const { rows } = await readList({ all: true, limit: 1 }, (page) => api.suppressions.list.query(page));
    const text = csv(rows, COLUMNS);
    if (args.file === undefined) printAsIs(text);
    else {
      await writeWhole(args.file, Readable.from([`${text}\n`]));
      this.log(`Wrote ${quantity(rows.length, 'suppression')} to ${args.file}.`);
    }
    return { exported: rows.length, file: args.file ?? null };
  }
}

import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { countedRows } from '../../src/cli/counted-rows.ts';
import { interruptible } from '../../src/cli/interrupt.ts';
import { Progress } from '../../src/cli/progress.ts';
import { writeToStdout } from '../../src/cli/terminal.ts';
import { quantity } from '../../src/core/english.ts';
import { invalid } from '../../src/core/errors.ts';
import { writeWhole } from '../../src/files/output-file.ts';

export default class ContactExport extends ClientCommand {
  static override description = `Export contacts as CSV or JSON lines

Values that a spreadsheet would treat as a formula are prefixed with an apostrophe, which contact import removes. Archived contacts are \
included only if the search says archived:true or archived:any.`;
  static override examples = [
    '<%= config.bin %> contact export contacts.csv',
    '<%= config.bin %> contact export --search "company:acme -replied:true" acme.csv',
    '<%= config.bin %> contact export --list "Spring fair" --format ndjson',
  ];
  static override args = {
    file: Args.string({ description: 'file to write (default: stdout)' }),
  };
  static override flags = {
    format: Flags.option({
      options: ['csv', 'ndjson'] as const,
      description: 'CSV, or one JSON document per line',
      default: 'csv' as const,
    })(),
    list: Flags.string({ description: 'only contacts on this list, by id or name', helpValue: 'LIST' }),
    search: Flags.string({
      description: 'only contacts that match this query; docs/smart-search.md describes the language',
      helpValue: 'QUERY',
    }),
  };

  async run() {
    const { args, flags } = await this.parse(ContactExport);
    if (args.file === undefined && this.jsonEnabled())
      throw invalid('--json requires a FILE; to print contacts as JSON, use --format ndjson');
    const { format, search: q, list } = flags;
    const api = await this.client(flags);
    const list_id = list === undefined ? undefined : await idOf(api, 'list', list);
    const bar = new Progress();
    let exported = 0;
    const tell = (rows: number) => {
      exported = rows;
      bar.show(0, quantity(rows, 'contact'));
    };
    await interruptible('nothing was written', async (signal) => {
      const pieces = countedRows(await api.search.export.query({ format, q, list_id }), format, tell);
      await (args.file === undefined ? writeToStdout(pieces, signal) : writeWhole(args.file, pieces, signal));
    }).finally(() => bar.end());
    if (args.file !== undefined) this.log(`Wrote ${quantity(exported, 'contact')} to ${args.file}.`);
    return { exported, file: args.file ?? null };
  }
}

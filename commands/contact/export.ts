import { Args, Flags } from '@oclif/core';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { interruptible } from '../../src/cli/interrupt.ts';
import { Progress } from '../../src/cli/progress.ts';
import { writeToStdout } from '../../src/cli/terminal.ts';
import { quantity } from '../../src/core/english.ts';
import { invalid } from '../../src/core/errors.ts';

export default class ContactExport extends OutreachCommand {
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
    list: Flags.string({ description: 'only contacts on this list', helpValue: 'NAME' }),
    search: Flags.string({
      description: 'only contacts that match this query; docs/smart-search.md describes the language',
      helpValue: 'QUERY',
    }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(ContactExport);
    if (args.file === undefined && this.jsonEnabled())
      throw invalid('--json requires a FILE; to print contacts as JSON, use --format ndjson');
    const { exportContacts } = await import('../../src/contacts/export/index.ts');
    const { campaignSearch } = await import('../../src/campaigns/index.ts');
    const { writeWhole } = await import('../../src/files/output-file.ts');
    const bar = new Progress();
    const { format, search, list } = flags;
    const exported = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      return interruptible('nothing was written', (signal) => {
        const request = { format, search, list, signal, progress: (rows: number) => bar.show(0, quantity(rows, 'contact')) };
        return exportContacts(app, caller, request, campaignSearch, (pieces) =>
          args.file === undefined ? writeToStdout(pieces, signal) : writeWhole(args.file, pieces, signal),
        );
      });
    }).finally(() => bar.end());
    if (args.file !== undefined) this.log(`Wrote ${quantity(exported, 'contact')} to ${args.file}.`);
    return { exported, file: args.file ?? null };
  }
}

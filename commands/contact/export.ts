import { Args, Flags } from '@oclif/core';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { interruptible } from '../../src/cli/interrupt.ts';
import { Progress } from '../../src/cli/progress.ts';
import { invalid } from '../../src/core/errors.ts';

export default class ContactExport extends OutreachCommand {
  static override description = `write contacts to a file or to stdout, as CSV or JSON lines

A value that a spreadsheet would take for a formula gets an apostrophe before it; contact import takes it away again.
Archived contacts are left out unless the search says archived:true or archived:any.`;
  static override examples = [
    '<%= config.bin %> contact export contacts.csv',
    '<%= config.bin %> contact export --search "company:acme -replied:true" acme.csv',
    '<%= config.bin %> contact export --list "Spring fair" --format ndjson',
  ];
  static override args = {
    file: Args.string({ description: 'the file to write; stdout when left out' }),
  };
  static override flags = {
    format: Flags.option({
      options: ['csv', 'ndjson'] as const,
      description: 'csv, or one JSON document a line',
      default: 'csv' as const,
    })(),
    list: Flags.string({ description: 'only contacts on this list', helpValue: 'NAME' }),
    search: Flags.string({ description: 'only what this query of the search language finds', helpValue: 'QUERY' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(ContactExport);
    if (args.file === undefined && this.jsonEnabled())
      throw invalid('--json: needs a FILE; for contacts as JSON on stdout use --format ndjson');
    const { exportContacts } = await import('../../src/contacts/export/index.ts');
    const { nextSendSearch } = await import('../../src/campaigns/index.ts');
    const { writeToStdout, writeWhole } = await import('../../src/files/output-file.ts');
    const bar = new Progress();
    const { format, search, list } = flags;
    const exported = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace);
      return interruptible('nothing was written', (signal) => {
        const request = { format, search, list, signal, progress: (rows: number) => bar.show(0, `${rows.toLocaleString('en')} contacts`) };
        return exportContacts(app, caller, request, nextSendSearch, (pieces) =>
          args.file === undefined ? writeToStdout(pieces, signal) : writeWhole(args.file, pieces, signal),
        );
      });
    }).finally(() => bar.end());
    if (args.file !== undefined) this.log(`Wrote ${exported.toLocaleString('en')} contacts to ${args.file}.`);
    return { exported, file: args.file ?? null };
  }
}

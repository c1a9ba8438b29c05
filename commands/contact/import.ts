import { Args, Flags } from '@oclif/core';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { interruptible } from '../../src/cli/interrupt.ts';
import { Progress } from '../../src/cli/progress.ts';
import type { ImportResult } from '../../src/contacts/import/index.ts';

export default class ContactImport extends OutreachCommand {
  static override description = `import contacts from a CSV file

The first line names the columns. Delimiter, quotes and encoding are found out. Columns are recognised by their names
(email, name, first_name, last_name, company, and custom fields by key or name); --map says it where they are not.
An address that a contact of the workspace has makes no second one. All or nothing: interrupted, it imports nothing and
can be run again.`;
  static override examples = [
    '<%= config.bin %> contact import people.csv --list "Spring fair"',
    '<%= config.bin %> contact import people.csv --map "Work mail=email" --map "Town=city" --map "Notes=-"',
    '<%= config.bin %> contact import people.csv --dry-run --report problems.csv',
  ];
  static override args = {
    file: Args.string({ required: true, description: 'the CSV file' }),
  };
  static override flags = {
    delimiter: Flags.string({ description: 'what parts the columns, where it is found out wrongly', helpValue: 'CHARACTER' }),
    'dry-run': Flags.boolean({ description: 'do everything, report, and take it back' }),
    encoding: Flags.string({ description: 'how the letters are written, where it is found out wrongly', helpValue: 'NAME' }),
    list: Flags.string({ description: 'put every contact of the file on this list; made when there is none', helpValue: 'NAME' }),
    map: Flags.string({
      description: 'what a column holds; - leaves it out',
      helpValue: 'COLUMN=FIELD',
      multiple: true,
      multipleNonGreedy: true,
    }),
    owner: Flags.string({ description: 'address of the person whose contacts they become', helpValue: 'E' }),
    report: Flags.string({ description: 'write each line that made no new contact, and why, to this file (CSV)', helpValue: 'FILE' }),
    update: Flags.boolean({ description: 'give contacts that exist the values of the file; empty cells change nothing' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(ContactImport);
    const { importContacts } = await import('../../src/contacts/import/index.ts');
    const bar = new Progress();
    const { 'dry-run': dryRun, list, map, update, report, encoding, delimiter } = flags;
    const result = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace, flags.owner);
      return interruptible('rolled back, nothing was imported; run it again', (signal) =>
        importContacts(app, caller, {
          ...{ path: args.file, dryRun, list, map: map ?? [], update, report, encoding, delimiter, signal },
          progress: ({ phase, bytes, size, rows }) =>
            phase === 'reading'
              ? bar.show((bytes / size) * 0.5, `reading: ${rows.toLocaleString('en')} rows`)
              : bar.show(0.5, `writing ${rows.toLocaleString('en')} rows`),
        }),
      );
    }).finally(() => bar.end());
    this.log(inWords(result));
    return result;
  }
}

function inWords(result: ImportResult): string {
  const count = (number: number) => number.toLocaleString('en');
  const lines = [
    `${result.dry_run ? 'Would import' : 'Imported'} ${count(result.imported)} of ${count(result.rows)} rows (${result.encoding}, columns parted by ${JSON.stringify(result.delimiter)}).`,
    ...(result.updated > 0 ? [`${count(result.updated)} contacts were given new values.`] : []),
    ...(result.existing > 0 ? [`${count(result.existing)} addresses had a contact already.`] : []),
    ...(result.duplicates > 0 ? [`${count(result.duplicates)} rows repeat an address of the file.`] : []),
    ...(result.suppressed > 0 ? [`${count(result.suppressed)} addresses are suppressed: they are never written to.`] : []),
    ...(result.rejected > 0 ? [`${count(result.rejected)} rows were rejected.`] : []),
    ...(result.list_id === null ? [] : [`${count(result.added_to_list)} contacts were put on list ${result.list_id}.`]),
    ...(result.ignored_columns.length > 0 ? [`Left out: ${result.ignored_columns.join(', ')}; name a field for them with --map.`] : []),
    ...result.problems.map(({ line, outcome, reason }) => `line ${line}: ${outcome}: ${reason}`),
  ];
  const troubled = result.rejected + result.existing + result.duplicates + result.suppressed;
  if (result.report !== null) lines.push(`Every such line is in ${result.report}.`);
  else if (troubled > result.problems.length) lines.push('Use --report FILE to have all of them.');
  return lines.join('\n').replaceAll(/[^\P{Cc}\n]/gu, ' ');
}

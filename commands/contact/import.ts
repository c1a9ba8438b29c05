import { Args, Flags } from '@oclif/core';
import { OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { interruptible } from '../../src/cli/interrupt.ts';
import { Progress } from '../../src/cli/progress.ts';
import type { ImportResult } from '../../src/contacts/import/index.ts';
import { quantity } from '../../src/core/english.ts';

export default class ContactImport extends OutreachCommand {
  static override description = `Import contacts from a CSV file

The first line must name the columns. Delimiter, quotes and encoding are detected. Columns are recognised by name: email, name, \
first_name, last_name, company, and custom fields by key or name; use --map or --create-fields for any other. An address that already belongs to a contact of \
the workspace is skipped, or updated with --update. An interrupted import changes nothing and can be run again.`;
  static override examples = [
    '<%= config.bin %> contact import people.csv --list "Spring fair"',
    '<%= config.bin %> contact import people.csv --map "Work mail=email" --map "Town=city" --map "Notes=-"',
    '<%= config.bin %> contact import people.csv --create-fields',
    '<%= config.bin %> contact import people.csv --dry-run --report problems.csv',
  ];
  static override args = {
    file: Args.string({ required: true, description: 'CSV file' }),
  };
  static override flags = {
    'create-fields': Flags.boolean({ description: 'create a custom field for every column that is not recognised' }),
    delimiter: Flags.string({ description: 'column separator, if it is detected wrongly', helpValue: 'CHARACTER' }),
    'dry-run': Flags.boolean({ description: 'report what would be imported without changing anything' }),
    encoding: Flags.string({ description: 'character encoding, if it is detected wrongly', helpValue: 'NAME' }),
    list: Flags.string({ description: 'add every contact in the file to this list, creating it if necessary', helpValue: 'NAME' }),
    map: Flags.string({
      description: 'import a column into this field; - ignores the column',
      helpValue: 'COLUMN=FIELD',
      multiple: true,
      multipleNonGreedy: true,
    }),
    owner: Flags.string({ description: 'email address of the user who will own the contacts', helpValue: 'EMAIL' }),
    report: Flags.string({ description: 'write every line that created no contact to this CSV file, with the reason', helpValue: 'FILE' }),
    update: Flags.boolean({ description: 'update existing contacts with the values in the file; empty cells change nothing' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(ContactImport);
    const { importContacts } = await import('../../src/contacts/import/index.ts');
    const bar = new Progress();
    const { 'create-fields': createFields, 'dry-run': dryRun, list, map, update, report, encoding, delimiter } = flags;
    const result = await this.withApp(flags, async (app) => {
      const caller = await this.operatorIn(app, flags.workspace, flags.owner);
      return interruptible('nothing was imported; run the command again', (signal) =>
        importContacts(app, caller, {
          ...{ path: args.file, createFields, dryRun, list, map: map ?? [], update, report, encoding, delimiter, signal },
          progress: ({ phase, bytes, size, rows }) =>
            phase === 'reading'
              ? bar.show((bytes / size) * 0.5, `reading ${quantity(rows, 'row')}`)
              : bar.show(0.5, `writing ${quantity(rows, 'row')}`),
        }),
      );
    }).finally(() => bar.end());
    this.log(summary(result, list));
    return result;
  }
}

/** The result as sentences; `list` is the name given with --list. */
function summary(result: ImportResult, list: string | undefined): string {
  const { dry_run: isDryRun, rows, updated, existing, duplicates, suppressed, rejected, problems } = result;
  const changed = (count: number, noun: string, verb: string) =>
    isDryRun ? `${quantity(count, noun)} would be ${verb}.` : `${quantity(count, `${noun} was`, `${noun}s were`)} ${verb}.`;
  const lines = [
    `${isDryRun ? 'Would import' : 'Imported'} ${result.imported.toLocaleString('en-GB')} of ${quantity(rows, 'row')} (${result.encoding}, columns separated by ${JSON.stringify(result.delimiter)}).`,
    ...(updated > 0 ? [changed(updated, 'contact', 'updated')] : []),
    ...(existing > 0 ? [`${quantity(existing, 'address already belongs', 'addresses already belong')} to a contact.`] : []),
    ...(duplicates > 0 ? [`${quantity(duplicates, 'row repeats', 'rows repeat')} an address from an earlier row.`] : []),
    ...(suppressed > 0 ? [`${quantity(suppressed, 'address is', 'addresses are')} suppressed and will never be emailed.`] : []),
    ...(rejected > 0 ? [changed(rejected, 'row', 'rejected')] : []),
    ...(list === undefined ? [] : [changed(result.added_to_list, 'contact', `added to the list "${list}"`)]),
    ...(result.created_fields.length > 0
      ? [
          `${isDryRun ? 'Would create' : 'Created'} ${quantity(result.created_fields.length, 'custom field')}: ${result.created_fields.join(', ')}.`,
        ]
      : []),
    ...(result.ignored_columns.length > 0
      ? [`Ignored columns: ${result.ignored_columns.join(', ')}. To import them, use --map COLUMN=FIELD or --create-fields.`]
      : []),
    ...problems.map(({ line, outcome, reason }) => `line ${line}: ${outcome}: ${reason}`),
  ];
  const affected = rejected + existing + duplicates + suppressed;
  if (result.report !== null) lines.push(`All of these lines are in ${result.report}.`);
  else if (affected > problems.length) lines.push('To get all of these lines, use --report FILE.');
  return lines.join('\n').replaceAll(/[^\P{Cc}\n]/gu, ' ');
}

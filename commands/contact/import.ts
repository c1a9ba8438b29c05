import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { quoted } from '../../src/cli/client/hint.ts';
import type { ContactFile } from '../../src/cli/client/import-contacts.ts';
import { previewText } from '../../src/cli/client/import-preview.ts';
import { writeRejected } from '../../src/cli/client/rejected-rows.ts';
import type { TargetFlags } from '../../src/cli/client/target.ts';
import { SKIP_LINES } from '../../src/cli/file-flags.ts';
import { interruptible } from '../../src/cli/interrupt.ts';
import type { Login } from '../../src/cli/login.ts';
import { Progress } from '../../src/cli/progress.ts';
import { rejectedTexts } from '../../src/cli/rejected-lines.ts';
import { say } from '../../src/cli/terminal.ts';
import type { ImportResult, RiskyAddresses } from '../../src/contacts/import/index.ts';
import { grouped, quantity } from '../../src/core/english.ts';
import { invalid } from '../../src/core/errors.ts';
import { terminalText } from '../../src/core/terminal-text.ts';
import { commandWords } from '../../src/files/csv-dialect.ts';
import { requireOther } from '../../src/files/output-file.ts';
import { requireSmall } from '../../src/files/read-rows.ts';

export default class ContactImport extends ClientCommand {
  static override description = `Import contacts from a CSV file

The first line must name the columns; titles and notes above it are skipped. Delimiter, quotes and encoding are detected. Columns are recognised by name: email, name, \
first_name, last_name, company, and custom fields by key or name; use --map or --create-fields for any other. An address that already belongs to a contact of \
the workspace is skipped, or updated with --update. Disposable and role addresses, and those at domains where emails bounced lately, are imported \
and counted; contact verify says more. An interrupted import changes nothing and can be run again. A server takes files of at most 50 MiB.`;
  static override examples = [
    '<%= config.bin %> contact import people.csv --list "Spring fair"',
    '<%= config.bin %> contact import people.csv --map "Work mail=email" --map "Town=city" --map "Notes=-"',
    '<%= config.bin %> contact import people.csv --create-fields',
    '<%= config.bin %> contact import people.csv --dry-run',
    '<%= config.bin %> contact import people.csv --rejected to-correct.csv',
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
    owner: Flags.string({ description: 'email address of the user who will own the contacts, on this machine', helpValue: 'EMAIL' }),
    rejected: Flags.string({
      description: 'write the rejected rows to this CSV file, with the reason, to correct and import them',
      helpValue: 'FILE',
    }),
    report: Flags.string({ description: 'write every line that created no contact to this CSV file, with the reason', helpValue: 'FILE' }),
    'skip-lines': SKIP_LINES,
    update: Flags.boolean({ description: 'update existing contacts with the values in the file; empty cells change nothing' }),
  };

  async run() {
    const { args, flags } = await this.parse(ContactImport);
    const {
      'create-fields': createFields,
      'dry-run': dryRun,
      list,
      map,
      update,
      encoding,
      delimiter,
      owner,
      'skip-lines': skipLines,
    } = flags;
    const server = this.target(flags);
    if (server !== undefined && owner !== undefined)
      throw invalid('--owner: what is imported on a server belongs to the owner of the key; leave it out');
    for (const name of ['report', 'rejected'] as const) if (flags[name] !== undefined) requireOther(`--${name}`, flags[name], args.file);
    if (flags.report !== undefined && flags.rejected !== undefined && resolve(flags.report) === resolve(flags.rejected))
      throw invalid(`--rejected: ${flags.rejected} is the file of --report; name another`);
    // The rows are read again after the import, which is too late to find the file too large for that.
    if (flags.rejected !== undefined) requireSmall(args.file);
    const folder = flags.rejected === undefined ? undefined : mkdtempSync(join(tmpdir(), 'outreach-rejected-'));
    const report = flags.report ?? (folder === undefined ? undefined : join(folder, 'report.csv'));
    const file = { path: args.file, createFields, dryRun, list, map: map ?? [], update, report, encoding, delimiter, skipLines };
    try {
      await this.#preview(flags, file);
      const result = await this.#import(flags, file, server);
      this.draw(terminalText(summary({ ...result, report: flags.report ?? null }, list)));
      if (flags.rejected !== undefined && report !== undefined) {
        const count = await writeRejected(file, report, flags.rejected);
        this.logLine(`${quantity(count, 'rejected row is', 'rejected rows are')} in ${flags.rejected}; correct and import it.`);
      }
      if (!dryRun && list !== undefined) this.next(`campaign enrol CAMPAIGN --list ${quoted(list)}`);
      return { ...result, report: flags.report ?? null };
    } finally {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Shows which field each column fills, and the first rows: to a person at the terminal, and on a dry run. */
  async #preview(flags: TargetFlags, file: ContactFile): Promise<void> {
    if (this.jsonEnabled() || !(file.dryRun || process.stdout.isTTY)) return;
    const api = await this.client(flags);
    const { previewImport } = await import('../../src/contacts/import/index.ts');
    const { data: fields } = await api.customFields.list.query({});
    this.log(terminalText(previewText(await previewImport(file, fields, commandWords(file.path)), file.createFields)));
  }

  async #import(flags: TargetFlags & { owner: string | undefined }, file: ContactFile, server: Login | undefined): Promise<ImportResult> {
    const { importHere } = await import('../../src/cli/client/import-here.ts');
    const { importThere } = await import('../../src/cli/client/import-contacts.ts');
    const bar = new Progress();
    const show = (share: number, rows: number) => bar.show(share / 2, `${share < 1 ? 'reading' : 'writing'} ${quantity(rows, 'row')}`);
    const onTrouble = (reason: string | null) => say(reason === null ? 'The server answers again.' : `${reason}; trying again`);
    return interruptible('nothing was imported; run the command again', async (signal) =>
      server === undefined
        ? importHere(flags, file, signal, ({ phase, bytes, size, rows }) => show(phase === 'reading' ? bytes / size : 1, rows))
        : importThere(server, await this.client(flags), file, { signal, onTrouble }, (job) =>
            show(job.bytes_read / job.file_size, job.rows_read),
          ),
    ).finally(() => bar.end());
  }
}

const DELIMITERS: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** Nouns for addresses with a risk, to print before the addresses. */
const RISK_WORDS: Record<RiskyAddresses['risk'], [one: string, many: string]> = {
  unread: ['address that nobody reads', 'addresses that nobody reads'],
  disposable: ['disposable address', 'disposable addresses'],
  role: ['role address', 'role addresses'],
  bounced_domain: ['address where emails bounced lately', 'addresses where emails bounced lately'],
};

/** Returns a line for each risk, such as "12 role addresses: info@, sales@, office@ …", and the command that says more. */
function riskLines({ risky_addresses: risky, dry_run: isDryRun }: ImportResult, list: string | undefined): string[] {
  const lines = risky.map(({ risk, count, examples }) => {
    const [one, many] = RISK_WORDS[risk];
    return `${quantity(count, one, many)}: ${examples.join(', ')}${count > examples.length ? ' …' : ''}`;
  });
  if (lines.length === 0 || isDryRun) return lines;
  return [
    ...lines,
    `To check the addresses, run: outreach contact verify ${list === undefined ? '--search "created:>1d"' : `--list "${list}"`}`,
  ];
}

/** The result as sentences; `list` is the name given with --list. */
function summary(result: ImportResult, list: string | undefined): string {
  const { dry_run: isDryRun, rows, updated, existing, duplicates, suppressed, emailed_before: emailedBefore, rejected, problems } = result;
  const changed = (count: number, noun: string, verb: string) =>
    isDryRun ? `${quantity(count, noun)} would be ${verb}.` : `${quantity(count, `${noun} was`, `${noun}s were`)} ${verb}.`;
  const separators = DELIMITERS[result.delimiter] ?? result.delimiter;
  const rejectedProblems = problems.filter(({ outcome }) => outcome === 'rejected');
  const reasons = rejectedTexts(rejectedProblems, rejected);
  const lines = [
    `${isDryRun ? 'Would import' : 'Imported'} ${grouped(result.imported)} of ${quantity(rows, 'row')} (${result.encoding}, columns separated by ${separators}).`,
    ...(result.cleaned > 0 ? [changed(result.cleaned, 'cell', 'cleaned up')] : []),
    ...(updated > 0 ? [changed(updated, 'contact', 'updated')] : []),
    ...(existing > 0 ? [`${quantity(existing, 'address already belongs', 'addresses already belong')} to a contact.`] : []),
    ...(duplicates > 0 ? [`${quantity(duplicates, 'row repeats', 'rows repeat')} an address from an earlier row.`] : []),
    ...(suppressed > 0 ? [`${quantity(suppressed, 'address is', 'addresses are')} suppressed and will never be emailed.`] : []),
    ...(emailedBefore > 0
      ? [`${quantity(emailedBefore, 'address was', 'addresses were')} emailed before by campaigns, which will not email them again.`]
      : []),
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
    ...riskLines(result, list),
    ...reasons,
  ];
  const affected = rejected + existing + duplicates + suppressed + emailedBefore;
  if (result.report !== null) lines.push(`All of these lines are in ${result.report}.`);
  else if (affected > problems.length || reasons.length < rejectedProblems.length)
    lines.push('To get all of these lines, use --report FILE.');
  return lines.join('\n').replaceAll(/[^\P{Cc}\n]/gu, ' ');
}

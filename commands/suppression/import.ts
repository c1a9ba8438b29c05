import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { columnLines, LEFT_OUT } from '../../src/cli/client/import-preview.ts';
import { writeRejectedRows } from '../../src/cli/client/rejected-rows.ts';
import { readSuppressions, type SuppressionFile } from '../../src/cli/client/suppressions.ts';
import { SKIP_LINES } from '../../src/cli/file-flags.ts';
import { Progress } from '../../src/cli/progress.ts';
import { rejectedTexts } from '../../src/cli/rejected-lines.ts';
import { grouped, quantity } from '../../src/core/english.ts';
import { terminalText } from '../../src/core/terminal-text.ts';
import { requireOther } from '../../src/files/output-file.ts';

/** Number of rows in one request, which is one transaction. */
const BATCH_SIZE = 200;

interface Rejected {
  line: number;
  email: string;
  message: string;
}

export default class SuppressionImport extends ClientCommand {
  static override description = `Suppress the addresses and domains in a file

The file has one address a line, or columns named email and, if you like, reason. A line that is not an address is reported, and the others \
are kept. An import that is interrupted can be run again.`;
  static override examples = ['<%= config.bin %> suppression import opted-out.csv'];
  static override args = { file: Args.string({ required: true, description: 'CSV file' }) };
  static override flags = {
    rejected: Flags.string({
      description: 'write the rejected rows to this CSV file, with the reason, to correct and import them',
      helpValue: 'FILE',
    }),
    'skip-lines': SKIP_LINES,
  };

  async run() {
    const { args, flags } = await this.parse(SuppressionImport);
    if (flags.rejected !== undefined) requireOther('--rejected', flags.rejected, args.file);
    const file = await readSuppressions(args.file, flags['skip-lines']);
    const { rows, columns, cleaned } = file;
    const api = await this.client(flags);
    if (process.stdout.isTTY) this.log(terminalText(previewText(file)));
    const bar = new Progress();
    const result = { rows: rows.length, cleaned, added: 0, present: 0, rejected: [] as Rejected[] };
    const returned: { cells: string[]; reason: string }[] = [];
    try {
      for (let at = 0; at < rows.length; at += BATCH_SIZE) {
        const batch = rows.slice(at, at + BATCH_SIZE);
        const { data } = await api.suppressions.addBatch.mutate({ suppressions: batch.map(({ email, reason }) => ({ email, reason })) });
        for (const [index, { status, email, message }] of data.entries()) {
          if (status !== 'rejected') result[status]++;
          else {
            const { line = 0, cells = [] } = batch[index] ?? {};
            const reason = reasonFor(email, message ?? '');
            result.rejected.push({ line, email, message: reason });
            returned.push({ cells, reason });
          }
        }
        bar.show((at + batch.length) / rows.length, quantity(at + batch.length, 'row'));
      }
    } finally {
      bar.end();
    }
    const { added, present, rejected } = result;
    this.log(`Suppressed ${quantity(added, 'new entry', 'new entries')}; ${grouped(present)} were suppressed already.`);
    if (cleaned > 0) this.log(`${quantity(cleaned, 'address was', 'addresses were')} cleaned up.`);
    const ignored = columns.filter(({ name, fills }) => name !== '' && fills === null).map(({ name }) => name);
    if (ignored.length > 0) this.logLine(`Ignored columns: ${ignored.join(', ')}. The reason is read from a column named reason.`);
    for (const text of rejectedTexts(rejected.map(({ line, message }) => ({ line, reason: message })))) this.logLine(text);
    if (flags.rejected !== undefined) {
      await writeRejectedRows(
        flags.rejected,
        columns.map(({ name }) => name),
        returned,
      );
      this.logLine(`${quantity(returned.length, 'rejected row is', 'rejected rows are')} in ${flags.rejected}; correct and import it.`);
    }
    if (rejected.length > 0) process.exitCode = 1;
    return result;
  }
}

/** Shows the field of each column, and the first three rows. */
function previewText({ columns, rows }: SuppressionFile): string {
  const filled = columnLines(columns.map(({ name, fills }) => [name, fills ?? LEFT_OUT]));
  const first = rows.slice(0, 3).map(({ line, email, reason }) => `Line ${line}: ${reason === null ? email : `${email}, ${reason}`}`);
  return [...filled, ...first].join('\n');
}

/** Explains why a row was rejected, and quotes it; a bare domain probably means all of its addresses. */
const reasonFor = (email: string, message: string): string =>
  /^[\w-]+(\.[\w-]+)+$/.test(email)
    ? `"${email}" is not an address; to suppress the whole domain, write @${email}`
    : `${message}, not "${email}"`;

import { readFile } from 'node:fs/promises';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';
import { fileProblem } from '../../src/files/file-problem.ts';

export default class MailClassify extends OutreachCommand {
  static override description =
    'Classify raw messages as replies, auto-replies, bounces and so on\n\nPrints the verdict for each file with its reasons. Nothing is stored.';
  static override examples = ['<%= config.bin %> mail classify bounce.eml reply.eml --json'];
  static override strict = false;
  static override usage = 'mail classify FILE...';

  async run() {
    const { argv } = await this.parse(MailClassify);
    if (argv.length === 0) throw invalid('missing argument FILE (a raw message); see: outreach mail classify --help');
    const { classifyRaw } = await import('../../src/mail/classify/index.ts');
    const results = [];
    for (const file of argv.map(String)) {
      const raw = await readFile(file).catch((error: unknown) => {
        throw fileProblem(`FILE: ${file}`, 'read', error);
      });
      const { result } = await classifyRaw(raw);
      const { verdict, recipient, status, until, reasons } = result;
      results.push({ file, verdict, recipient, status, until, reasons });
    }
    this.log(table(results, ['file', 'verdict', 'recipient', 'status', 'until', 'reasons']));
    return results;
  }
}

import { readFile } from 'node:fs/promises';
import { Args } from '@oclif/core';
import { OutreachCommand } from '../../src/cli/command.ts';
import { table } from '../../src/cli/table.ts';
import { fileProblem } from '../../src/files/file-problem.ts';

export default class MailClassify extends OutreachCommand {
  static override description =
    'Classify raw messages as replies, auto-replies, bounces and so on\n\nPrints the verdict for each file with its reasons. Nothing is stored.';
  static override examples = ['<%= config.bin %> mail classify bounce.eml reply.eml --json'];
  static override args = { file: Args.string({ required: true, multiple: true, description: 'raw message; several may be named' }) };

  async run() {
    const { args } = await this.parse(MailClassify);
    const { classifyRaw } = await import('../../src/mail/classify/index.ts');
    const results = [];
    for (const file of args.file) {
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

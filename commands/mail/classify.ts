import { readFile } from 'node:fs/promises';
import { Args, Flags } from '@oclif/core';
import { OutreachCommand } from '../../src/cli/command.ts';
import { printTable } from '../../src/cli/print-table.ts';
import { terminalLine } from '../../src/core/terminal-text.ts';
import { fileProblem } from '../../src/files/file-problem.ts';
import type { Explanation } from '../../src/mail/classify/index.ts';
import { factsText } from '../../src/terminal/facts.ts';

export default class MailClassify extends OutreachCommand {
  static override description =
    'Classify raw messages as replies, auto-replies, bounces and so on\n\n' +
    'Prints the verdict for each file with its reasons. Nothing is stored. With --sent, what a message repeats of that email is not taken for ' +
    "its author's words, as when the daemon reads an answer.";
  static override examples = [
    '<%= config.bin %> mail classify bounce.eml reply.eml --json',
    '<%= config.bin %> mail classify reply.eml --explain --sent email.eml',
  ];
  static override args = { file: Args.string({ required: true, multiple: true, description: 'raw message; several may be named' }) };
  static override flags = {
    explain: Flags.boolean({ description: 'show what was cut from the text and why, and what spoke for each verdict' }),
    sent: Flags.string({ helpValue: 'FILE', description: 'raw message that was sent, and that the files answer' }),
  };

  async run() {
    const { args, flags } = await this.parse(MailClassify);
    const { explainRaw } = await import('../../src/mail/classify/index.ts');
    const sent = flags.sent === undefined ? null : await rawMessage('--sent', flags.sent);
    const results = [];
    for (const file of args.file) {
      const explanation = await explainRaw(await rawMessage('FILE', file), sent);
      const { verdict, recipient, status, until, reasons, ownText } = explanation.result;
      const row = { file, verdict, recipient, status, until, reasons };
      if (flags.explain) this.log(explained(row, explanation));
      results.push(flags.explain ? { ...row, own_text: ownText, cuts: explanation.cuts, signs: explanation.signs } : row);
    }
    if (!flags.explain) printTable(this, results, ['file', 'verdict', 'recipient', 'status', 'until', 'reasons']);
    return results;
  }
}

const rawMessage = (name: string, file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw fileProblem(`${name}: ${file}`, 'read', error);
  });

/** Lists the parts of a message and the reasons for each verdict, for a person to read. */
function explained(
  row: { file: string; verdict: string; recipient: string | null; status: string | null; until: string | null; reasons: readonly string[] },
  { result, cuts, signs }: Explanation,
): string {
  const quoted = (text: string) => text.split('\n').map((line) => `  | ${terminalLine(line)}`);
  return [
    factsText([
      ...[['File', row.file] as const, ['Verdict', row.verdict] as const, ['Recipient', row.recipient] as const],
      ...[['Status', row.status] as const, ['Until', row.until] as const, ['Reasons', row.reasons.join('; ')] as const],
    ]),
    ...['', 'Own words:', ...quoted(result.ownText)],
    ...cuts.flatMap(({ reason, text }) => ['', `Cut, ${reason}:`, ...quoted(text)]),
    ...['', 'Speaks for:', ...signs.map(({ verdict, reasons }) => `  ${verdict}: ${reasons.map(terminalLine).join('; ')}`), ''],
  ].join('\n');
}

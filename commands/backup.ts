import { Args } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { interruptible } from '../src/cli/interrupt.ts';
import { Progress } from '../src/cli/progress.ts';

export default class Backup extends OutreachCommand {
  static override description = `write everything of the database into one file, as it stands at one moment

Daemons go on meanwhile. The secret (secret.key) is not in the file, so that nobody who finds it can use the mailboxes:
keep a copy of the secret elsewhere, a restore needs it. The file holds personal data and is readable by its owner only.`;
  static override examples = ['<%= config.bin %> backup outreach-2026-01-31.backup'];
  static override args = {
    file: Args.string({ required: true, description: 'the file to write' }),
  };

  async run() {
    const { args, flags } = await this.parse(Backup);
    const { backUp } = await import('../src/maintenance/backup.ts');
    const bar = new Progress();
    const progress = (table: string, share: number) => bar.show(share, table);
    const result = await this.withApp(flags, (app) =>
      interruptible('no backup was written', (signal) => backUp(app, args.file, { signal, progress })),
    ).finally(() => bar.end());
    this.log(`Wrote ${result.rows.toLocaleString('en')} rows of ${result.tables} tables to ${result.file}.`);
    this.log(`A restore needs the secret ${result.key_id}, which is not in the file: keep a copy of it elsewhere.`);
    return result;
  }
}

import { Args } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { interruptible } from '../src/cli/interrupt.ts';
import { Progress } from '../src/cli/progress.ts';
import { quantity } from '../src/core/english.ts';

export default class Backup extends OutreachCommand {
  static override description = `Back up the whole database to one file

The backup is a consistent snapshot; daemons keep running. The secret (secret.key) is not in the file, so that a stolen backup cannot be \
used to log in to your accounts: keep a copy of it elsewhere, because a restore needs it. The file contains personal data and is readable \
by its owner only.`;
  static override examples = ['<%= config.bin %> backup outreach-2026-01-31.backup'];
  static override args = {
    file: Args.string({ required: true, description: 'file to write' }),
  };

  async run() {
    const { args, flags } = await this.parse(Backup);
    const { backUp } = await import('../src/maintenance/backup.ts');
    const bar = new Progress();
    const progress = (table: string, share: number) => bar.show(share, table);
    const result = await this.withApp(flags, (app) =>
      interruptible('no backup was written', (signal) => backUp(app, args.file, { signal, progress })),
    ).finally(() => bar.end());
    this.log(`Wrote ${quantity(result.rows, 'row')} from ${quantity(result.tables, 'table')} to ${result.file}.`);
    this.log(`To restore it you need the secret ${result.key_id}, which is not in the file: keep a copy of it elsewhere.`);
    return result;
  }
}

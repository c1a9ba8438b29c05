import { Args, Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { interruptible } from '../src/cli/interrupt.ts';
import { Progress } from '../src/cli/progress.ts';

export default class Restore extends OutreachCommand {
  static override description = `put a backup in place, all of it or nothing

Needs an empty database, or --replace, and the secret of the installation that the backup is of. Mails that were sent
after the backup was made are not in it: every active mailbox comes back paused, so that none of them is sent again.
Suppressions of the installation that --replace replaces are kept; on a new machine those since then are lost.`;
  static override examples = [
    '<%= config.bin %> restore outreach-2026-01-31.backup',
    '<%= config.bin %> restore --replace last-night.backup',
  ];
  static override args = {
    file: Args.string({ required: true, description: 'a file that backup wrote' }),
  };
  static override flags = {
    replace: Flags.boolean({ description: 'replace the installation that is there, which is lost' }),
  };

  async run() {
    const { args, flags } = await this.parse(Restore);
    const config = this.config_(flags);
    const { fileSize } = await import('../src/files/input-file.ts');
    const size = fileSize(args.file);
    const { openRuntime } = await import('../src/main/runtime.ts');
    const { createLogger } = await import('../src/core/log.ts');
    const { restore } = await import('../src/maintenance/restore.ts');
    const runtime = await openRuntime(config, { log: createLogger('error'), poolSize: 4, applicationName: 'outreach cli' });
    const bar = new Progress();
    try {
      const progress = (table: string, bytes: number) => bar.show(bytes / size, table);
      const result = await interruptible('rolled back, nothing was restored', (signal) =>
        restore(runtime.app, args.file, { replace: flags.replace, signal, progress }),
      ).finally(() => bar.end());
      this.log(`Restored ${result.rows.toLocaleString('en')} rows of ${result.tables} tables, as of ${result.made_at}.`);
      if (result.migrated.length > 0) this.log(`Ran ${result.migrated.join(', ')}.`);
      if (result.suppressions_kept > 0) this.log(`Kept ${result.suppressions_kept} suppressions that the backup did not have.`);
      this.log(
        `Paused ${result.accounts_paused} mailboxes and ${result.campaigns_paused} campaigns: what was sent or unsubscribed since then is not known here.\n` +
          'Look into the Sent folders before you resume a mailbox: outreach account resume ID',
      );
      return result;
    } finally {
      await runtime.close();
    }
  }
}

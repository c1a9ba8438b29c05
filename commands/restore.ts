import { Args, Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { confirm, yesFlag } from '../src/cli/confirm.ts';
import { interruptible } from '../src/cli/interrupt.ts';
import { Progress } from '../src/cli/progress.ts';
import type { Config } from '../src/core/config.ts';
import { quantity } from '../src/core/english.ts';
import { parseDatabaseUrl } from '../src/db/database-url.ts';
import { localText } from '../src/terminal/local-text.ts';

export default class Restore extends OutreachCommand {
  static override description = `Restore a backup

Requires an empty database, or --replace, and the secret that the backup was made with. Refuses a file that was modified since. If anything fails, nothing is changed. A backup \
does not contain the emails sent after it was made, so every active account is restored paused, to prevent sending them twice. With \
--replace, suppressions of the replaced installation are kept; on a new machine, suppressions made after the backup are lost.`;
  static override examples = [
    '<%= config.bin %> restore outreach-2026-01-31.backup',
    '<%= config.bin %> restore --replace last-night.backup',
    '<%= config.bin %> restore --replace --yes last-night.backup',
  ];
  static override args = {
    file: Args.string({ required: true, description: 'file written by outreach backup' }),
  };
  static override flags = {
    replace: Flags.boolean({ description: 'delete the existing data and replace it with the backup' }),
    yes: yesFlag,
  };

  async run() {
    const { args, flags } = await this.parse(Restore);
    const config = this.settings(flags);
    const { fileSize } = await import('../src/files/input-file.ts');
    const size = fileSize(args.file);
    if (flags.replace)
      await confirm(flags, `Delete the data of ${nameOf(config)} and replace it with ${args.file}?`, 'nothing was restored');
    const { openRuntime } = await import('../src/main/runtime.ts');
    const { createLogger } = await import('../src/core/log.ts');
    const { restore } = await import('../src/maintenance/restore.ts');
    const runtime = await openRuntime(config, {
      log: createLogger('error', undefined, config.logFormat),
      poolSize: 4,
      applicationName: 'outreach cli',
    });
    const bar = new Progress();
    try {
      const progress = (table: string, bytes: number) => bar.show(bytes / size, table);
      const result = await interruptible('nothing was restored', (signal) =>
        restore(runtime.app, args.file, { replace: flags.replace, signal, progress }),
      ).finally(() => bar.end());
      this.log(`Restored ${quantity(result.rows, 'row')} in ${quantity(result.tables, 'table')} from ${localText(result.made_at, 'UTC')}.`);
      if (result.migrated.length > 0) this.log(`Ran migrations: ${result.migrated.join(', ')}.`);
      if (result.suppressions_kept > 0)
        this.log(`Kept ${quantity(result.suppressions_kept, 'suppression')} that the backup does not contain.`);
      this.log(
        `Paused ${quantity(result.accounts_paused, 'account')} and ${quantity(result.campaigns_paused, 'campaign')}: emails sent and unsubscribes received after the backup are not in it.\n` +
          'Check the Sent folder of each account before you resume it with: outreach account resume ID',
      );
      return result;
    } finally {
      await runtime.close();
    }
  }
}

const nameOf = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl === undefined ? `the installation in ${dataDir}` : `the database at ${parseDatabaseUrl(databaseUrl).label}`;

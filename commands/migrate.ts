import { Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { confirm, yesFlag } from '../src/cli/confirm.ts';
import { refuseDaemons } from '../src/daemons/index.ts';

export default class Migrate extends OutreachCommand {
  static override description = `Run pending migrations

Safe to run on several machines at once. Refuses a database that daemons use, or that a newer version has migrated.`;
  static override examples = ['<%= config.bin %> migrate', '<%= config.bin %> migrate --status', '<%= config.bin %> migrate --down --yes'];
  static override flags = {
    down: Flags.boolean({ description: 'revert the latest migration, deleting its data', exclusive: ['status'] }),
    yes: yesFlag,
    status: Flags.boolean({ description: 'list migrations without running any' }),
  };

  async run() {
    const { flags } = await this.parse(Migrate);
    const config = this.settings(flags);
    const { openRuntime } = await import('../src/main/runtime.ts');
    const { migrateDown, migrationStatus, refuseUnknownSchema } = await import('../src/db/migrate.ts');
    const { migrate } = await import('../src/main/migrate.ts');
    const runtime = await openRuntime(config, { poolSize: 4, applicationName: 'outreach migrate' });
    try {
      if (flags.down) {
        const present = await migrationStatus(runtime.app);
        refuseUnknownSchema(present);
        await refuseDaemons(runtime.app.db);
        const latest = present.executed.at(-1);
        if (latest !== undefined) await confirm(flags, `Revert ${latest} and delete its data?`, 'nothing was reverted');
        const name = await migrateDown(runtime.app);
        this.log(name === undefined ? 'There is no migration to revert.' : `Reverted ${name}.`);
      } else if (!flags.status) {
        const names = await migrate(runtime.app);
        this.log(names.length === 0 ? 'The database is up to date.' : `Ran ${names.join(', ')}.`);
      }
      const status = await migrationStatus(runtime.app);
      if (flags.status)
        this.log(
          [
            ...status.executed.map((name) => `done     ${name}`),
            ...status.pending.map((name) => `pending  ${name}`),
            ...status.unknown.map((name) => `unknown  ${name}`),
          ].join('\n'),
        );
      return { executed: status.executed, pending: status.pending };
    } finally {
      await runtime.close();
    }
  }
}

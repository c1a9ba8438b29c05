import { Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { record } from '../src/cli/table.ts';

export default class Install extends OutreachCommand {
  static override description = `prepare everything: data directory, secret, database, first workspace, first admin and an API key

Run again, it changes nothing and says so. With --systemd it also writes a unit file into the data directory and says how to put it to use; nothing outside of the data directory is changed.`;
  static override examples = [
    '<%= config.bin %> install --admin-email ada@example.com --admin-name "Ada"',
    '<%= config.bin %> install --systemd',
  ];
  static override flags = {
    'admin-email': Flags.string({ description: 'address of the first admin', helpValue: 'E' }),
    'admin-name': Flags.string({ description: 'name of the first admin', helpValue: 'N' }),
    systemd: Flags.boolean({ description: 'write a hardened unit file for systemd' }),
    workspace: Flags.string({ description: 'name of the first workspace', helpValue: 'W' }),
  };

  async run() {
    const { flags } = await this.parse(Install);
    const config = this.config_(flags);
    const { openRuntime } = await import('../src/main/runtime.ts');
    const { install } = await import('../src/main/install.ts');
    const runtime = await openRuntime(config, { poolSize: 4, applicationName: 'outreach install' });
    try {
      const result = await install(runtime.app, {
        ...(flags['admin-email'] === undefined ? {} : { adminEmail: flags['admin-email'] }),
        ...(flags['admin-name'] === undefined ? {} : { adminName: flags['admin-name'] }),
        ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
      });
      if (result.api_key === null) this.log(`Everything is in place in ${result.data_dir}; nothing was changed.`);
      else this.log(`${record(result)}\n\nThe key is shown this once. Next: outreach start`);
      if (!flags.systemd) return result;
      const { writeUnit } = await import('../src/cli/write-unit.ts');
      const unit = writeUnit(config, this.config.root);
      this.log(`\n${unit.steps}`);
      return { ...result, systemd_unit: unit.path };
    } finally {
      await runtime.close();
    }
  }
}

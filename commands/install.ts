import { Flags } from '@oclif/core';
import { OutreachCommand } from '../src/cli/command.ts';
import { handOverKey } from '../src/cli/first-key.ts';
import type { Config } from '../src/core/config.ts';
import { settingsPath } from '../src/core/settings-file.ts';
import type { InstallResult } from '../src/main/install.ts';
import type { KeptSettings } from '../src/main/keep-settings.ts';
import { factsText } from '../src/terminal/facts.ts';

export default class Install extends OutreachCommand {
  static override description = `Install Outreach

Creates the data directory, the secret, the database, the first workspace, the first admin and an API key. Safe to repeat: an existing \
installation is not changed. Settings that the environment gives are kept in outreach.toml in the data directory, so that later commands \
need no environment. --systemd also writes a unit file to the data directory and prints the commands that install it; nothing \
outside the data directory is changed. Without a terminal the API key is written to a file in the data directory; --json prints it.`;
  static override examples = [
    '<%= config.bin %> install --admin-email ada@example.com --admin-name "Ada"',
    '<%= config.bin %> install --systemd',
  ];
  static override flags = {
    'admin-email': Flags.string({ description: 'email address of the first admin', helpValue: 'EMAIL' }),
    'admin-name': Flags.string({ description: 'name of the first admin', helpValue: 'N' }),
    systemd: Flags.boolean({ description: 'write a hardened systemd unit file' }),
    workspace: Flags.string({ description: 'name of the first workspace', helpValue: 'W' }),
  };

  async run() {
    const { flags } = await this.parse(Install);
    const config = this.settings(flags);
    const { refuseSecondInstallation } = await import('../src/main/second-installation.ts');
    refuseSecondInstallation(config);
    const { openRuntime } = await import('../src/main/runtime.ts');
    const { install } = await import('../src/main/install.ts');
    const runtime = await openRuntime(config, { poolSize: 4, applicationName: 'outreach install' });
    try {
      const { underLock } = await import('../src/db/lock.ts');
      const { keepSettings } = await import('../src/main/keep-settings.ts');
      // Save the settings first: this may fail, and the API key can't be shown again.
      const kept = await underLock(runtime.app.db, 'install', async () => keepSettings(config));
      const result = await install(runtime.app, {
        ...(flags['admin-email'] === undefined ? {} : { adminEmail: flags['admin-email'] }),
        ...(flags['admin-name'] === undefined ? {} : { adminName: flags['admin-name'] }),
        ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
      });
      if (!this.jsonEnabled()) this.log([...installed(result, kept), ...keptLines(config, kept)].join('\n'));
      if (!flags.systemd) return result;
      const { writeUnit } = await import('../src/cli/write-unit.ts');
      const unit = writeUnit(config, this.config.root);
      this.logAsIs(`\n${unit.steps}`);
      return { ...result, systemd_unit: unit.path };
    } finally {
      await runtime.close();
    }
  }
}

/** The key gets a line of its own, because it may go to a file instead. */
function installed({ api_key: key, ...result }: InstallResult, { added }: KeptSettings): string[] {
  if (key !== null) {
    const facts = factsText([
      ['Data directory', result.data_dir],
      ['Address', result.base_url],
    ]);
    return ['Outreach is installed.', facts, '', handOverKey(result.data_dir, key, process.stdout.isTTY), 'Next, run: outreach start'];
  }
  const change = added.length === 0 ? 'nothing was changed' : 'only its settings were added to';
  return [`Outreach is already installed in ${result.data_dir}; ${change}.`];
}

function keptLines({ dataDir }: Config, { added, differing }: KeptSettings): string[] {
  const path = settingsPath(dataDir);
  const lines = added.length === 0 ? [] : [`Saved to ${path} for later commands: ${added.join(', ')}.`];
  if (differing.length > 0)
    lines.push(`Not kept, as a settings file has another value: ${differing.join(', ')}. Change it there to use it from now on.`);
  return lines;
}

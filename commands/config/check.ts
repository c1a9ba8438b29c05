import { OutreachCommand } from '../../src/cli/command.ts';

export default class ConfigCheck extends OutreachCommand {
  static override description = `Check the settings

Reads the settings as the daemon does at its start, with the secret and the data directory, and changes nothing. Exits with 2 for a setting that is \
unknown or malformed, so that a service need not be restarted to find out. To check the servers that they name, run: outreach doctor`;
  static override examples = ['<%= config.bin %> config check && systemctl restart outreach'];

  async run() {
    const { flags } = await this.parse(ConfigCheck);
    const config = this.settings(flags);
    const { checkSettings } = await import('../../src/main/check-settings.ts');
    checkSettings(config);
    const files = config.settingsFiles.map(({ path }) => path);
    this.log(`The settings are valid. ${files.length === 0 ? 'No settings file was read.' : `Read ${files.join(' and ')}.`}`);
    return { data_dir: config.dataDir, files };
  }
}

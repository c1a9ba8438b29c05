import { OutreachCommand } from '../../src/cli/command.ts';

export default class SecretRotate extends OutreachCommand {
  static override description = `replace the secret, and seal every stored credential under the new one

The former secret stays in secret.key behind the new one: links in mails that were sent are signed with it. A daemon on
this machine takes the new one up by itself. Make a copy of secret.key afterwards.`;
  static override examples = ['<%= config.bin %> secret rotate'];

  async run() {
    const { flags } = await this.parse(SecretRotate);
    const { rotateSecret } = await import('../../src/maintenance/rotate-secret.ts');
    const rotation = await this.withApp(flags, async (app) => rotateSecret(app, await this.operatorIn(app, undefined)));
    const sealed = Object.entries(rotation.sealed).map(([column, count]) => `${column}: ${count} sealed anew`);
    const lost = rotation.unreadable > 0 ? [`${rotation.unreadable} values could not be opened before either; see: outreach doctor`] : [];
    this.log([`The secret is now ${rotation.key_id}.`, ...sealed, ...lost].join('\n'));
    return rotation;
  }
}

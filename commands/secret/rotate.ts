import { OutreachCommand } from '../../src/cli/command.ts';
import { grouped, quantity } from '../../src/core/english.ts';

export default class SecretRotate extends OutreachCommand {
  static override description = `Replace the secret and re-encrypt every stored credential

The old secret stays in secret.key after the new one, because links in sent emails are signed with it. A daemon on this machine picks up \
the new secret automatically. Copy secret.key to a safe place afterwards.`;
  static override examples = ['<%= config.bin %> secret rotate'];

  async run() {
    const { flags } = await this.parse(SecretRotate);
    const { rotateSecret } = await import('../../src/maintenance/rotate-secret.ts');
    const rotation = await this.withApp(flags, async (app) => rotateSecret(app, await this.operator(app)));
    const sealed = Object.entries(rotation.sealed).map(([column, count]) => `${column}: ${grouped(count)} re-encrypted`);
    const lost =
      rotation.unreadable > 0
        ? [`${quantity(rotation.unreadable, 'value')} could not be decrypted with the old secret either; run: outreach doctor`]
        : [];
    this.log([`The secret is now ${rotation.key_id}.`, ...sealed, ...lost].join('\n'));
    return rotation;
  }
}

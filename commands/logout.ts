import { BaseCommand } from '../src/cli/base-command.ts';
import { forgetLogin, loginPath, readLogin } from '../src/cli/login.ts';

export default class Logout extends BaseCommand {
  static override description = 'Forget the server and the API key of your login\n\nThe key stays valid until it is revoked.';
  static override examples = ['<%= config.bin %> logout'];

  async run() {
    await this.parse(Logout);
    const path = loginPath();
    const login = readLogin(path);
    forgetLogin(path);
    this.log(login === undefined ? 'You are not logged in.' : `Logged out of ${login.url}. To revoke the key, run: outreach key revoke ID`);
    return { url: login?.url ?? null };
  }
}

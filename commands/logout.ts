import { BaseCommand } from '../src/cli/base-command.ts';
import { forgetLogin, loginPath, readLogin } from '../src/cli/login.ts';

export default class Logout extends BaseCommand {
  static override description = 'Forget the server and the API key of your login\n\nThe key stays valid until it is revoked.';
  static override examples = ['<%= config.bin %> logout'];

  async run() {
    await this.parse(Logout);
    const path = loginPath();
    const login = stored(path);
    forgetLogin(path);
    const revoke = login == null ? '' : ` To revoke the key, run: outreach key revoke ID --url ${login.url}`;
    this.log(
      login === undefined ? 'You are not logged in.' : `Logged out of ${login?.url ?? 'a server: the login could not be read'}.${revoke}`,
    );
    return { url: login?.url ?? null };
  }
}

/** Reads the login to forget; null for a damaged or unreadable one, which is forgotten all the same. */
function stored(path: string): ReturnType<typeof readLogin> | null {
  try {
    return readLogin(path);
  } catch {
    return null;
  }
}

import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/base-command.ts';
import { serverUrl } from '../src/cli/client/target.ts';
import { loginPath, storeLogin } from '../src/cli/login.ts';
import { askSecret, warnOfVisible } from '../src/cli/password.ts';
import { say } from '../src/cli/terminal.ts';
import { invalid } from '../src/core/errors.ts';

export default class Login extends BaseCommand {
  static override description = `Log in to a server with an API key

Checks the key and stores it with the address in your configuration directory, readable by you only. Commands then work on that server with \
the rights of the key, from any machine, until you run: outreach logout

Without --key, the key is read from OUTREACH_API_KEY, or prompted for.`;
  static override examples = [
    '<%= config.bin %> login https://outreach.example.com',
    'OUTREACH_API_KEY=ork_… <%= config.bin %> login https://outreach.example.com',
  ];
  static override args = { url: Args.string({ required: true, description: 'address of the server' }) };
  static override flags = {
    key: Flags.string({
      description: "API key; prefer OUTREACH_API_KEY, which other users of this machine can't see",
      env: 'OUTREACH_API_KEY',
      helpValue: 'K',
    }),
  };

  async run() {
    const { args, flags } = await this.parse(Login);
    const url = serverUrl(args.url, 'URL');
    const key = flags.key?.trim() || (await askKey(url));
    const [{ createClient }, { apiError }] = await Promise.all([
      import('../src/client/create-client.ts'),
      import('../src/cli/client/api-error.ts'),
    ]);
    const api = createClient({ url, key, retries: 0 });
    const [me, workspace] = await Promise.all([api.access.me.query({}), api.access.workspace.query({})]).catch((error: unknown) => {
      throw apiError(error, url);
    });
    const path = loginPath();
    storeLogin(path, { url, key });
    this.logLine(`Logged in to ${url} as ${me.name} <${me.email}>, ${me.role} in workspace "${workspace.name}".`);
    if (!this.jsonEnabled()) this.#warn(url);
    return { url, ...me, workspace_id: workspace.id, workspace: workspace.name };
  }

  #warn(url: string): void {
    if (process.argv.some((word) => /^--key(=|$)/.test(word))) warnOfVisible('the API key', 'OUTREACH_API_KEY');
    const { protocol, hostname } = new URL(url);
    if (protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname))
      say('outreach: warning: without https, the API key and all data travel unencrypted');
  }
}

async function askKey(url: string): Promise<string> {
  if (!process.stdin.isTTY) throw invalid('no API key given; set OUTREACH_API_KEY, or run this at a terminal to be prompted');
  const key = (await askSecret(`API key for ${url}`)).trim();
  if (key === '') throw invalid('no API key was entered');
  return key;
}

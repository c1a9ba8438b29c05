import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { timeFrame } from '../../src/cli/client/time-frame.ts';
import { SCOPES } from '../../src/cli/client/users.ts';
import { instantText, TIMES } from '../../src/cli/instant.ts';
import { isSameAddress } from '../../src/core/email-address.ts';
import { conflict, invalid } from '../../src/core/errors.ts';

export default class KeyCreate extends ClientCommand {
  static override description = 'Create an API key for a user\n\nThe key is shown only once.';
  static override examples = [
    '<%= config.bin %> key create "nightly sync" --user ada@example.com',
    '<%= config.bin %> key create "trade fair" --user ada@example.com --expires 2026-12-31',
    '<%= config.bin %> key create "reporting" --user ada@example.com --scopes read',
  ];
  static override args = { name: Args.string({ required: true, description: 'name of the key, for example "nightly sync"' }) };
  static override flags = {
    expires: Flags.string({ description: `time from which on the key is refused, ${TIMES} (default: never)`, helpValue: 'TIME' }),
    scopes: Flags.string({
      description: `limits what the key may do: ${SCOPES.join(', ')} (default: everything)`,
      helpValue: 'SCOPES',
    }),
    user: Flags.string({ description: 'email address of the user the key acts as (default: the only one)', helpValue: 'EMAIL' }),
  };

  async run() {
    const { args, flags } = await this.parse(KeyCreate);
    const api = await this.client(flags);
    const expires_at = flags.expires === undefined ? null : instantText(flags.expires, '--expires', await timeFrame(api, 'future'));
    const [{ data: users }, workspace] = await Promise.all([api.users.list.query({}), api.access.workspace.query({})]);
    const user = flags.user === undefined ? onlyUser(users, workspace.name) : withAddress(users, flags.user, workspace.name);
    const scopes = flags.scopes === undefined ? {} : { scopes: scopesOf(flags.scopes) };
    const {
      expires_at: expires,
      scopes: granted,
      ...key
    } = await api.keys.create.mutate({ name: args.name, user_id: user.id, expires_at, ...scopes });
    // Scopes and expiry are printed only if they were requested.
    const result = { ...key, ...(flags.scopes !== undefined && { scopes: granted }), ...(expires !== null && { expires_at: expires }) };
    this.logLine(`Key ${key.id} "${key.name}" acts as ${user.email} in workspace "${workspace.name}". It is shown only once:`);
    this.log(`\n  ${key.key}`);
    return result;
  }
}

function scopesOf(text: string): (typeof SCOPES)[number][] {
  return text.split(',').map((word) => {
    const scope = SCOPES.find((one) => one === word.trim());
    if (scope === undefined) throw invalid(`--scopes: "${word.trim()}" is not one of ${SCOPES.join(', ')}`);
    return scope;
  });
}

interface User {
  id: number;
  email: string;
  disabled: boolean;
}

/** Returns the only member who may have a key. Throws `invalid_request` if there is none, or more than one. */
function onlyUser(users: readonly User[], workspace: string): User {
  const [user, other] = users.filter(({ disabled }) => !disabled);
  if (user !== undefined && other === undefined) return user;
  throw invalid(`--user: workspace "${workspace}" does not have exactly one user; name theirs with --user EMAIL (see: outreach user list)`);
}

function withAddress(users: readonly User[], email: string, workspace: string): User {
  const user = users.find((one) => isSameAddress(one.email, email));
  if (user !== undefined) return user;
  throw conflict(`${email} is not a member of workspace "${workspace}"; to add them, run: outreach user create`);
}

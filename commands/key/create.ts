import { Args, Flags } from '@oclif/core';
import { createMemberKey, findUserByEmail, findWorkspace, onlyUser } from '../../src/access/index.ts';
import { instantFlag, OutreachCommand, workspaceFlag } from '../../src/cli/command.ts';
import { record } from '../../src/cli/table.ts';
import { invalid } from '../../src/core/errors.ts';

export default class KeyCreate extends OutreachCommand {
  static override description = 'Create an API key for a user\n\nThe key is shown only once.';
  static override examples = [
    '<%= config.bin %> key create "nightly sync" --user ada@example.com',
    '<%= config.bin %> key create "trade fair" --user ada@example.com --expires 2026-12-31',
  ];
  static override args = { name: Args.string({ required: true, description: 'name of the key, for example "nightly sync"' }) };
  static override flags = {
    expires: Flags.string({ description: 'date or timestamp from which on the key is refused (default: never)', helpValue: 'TIME' }),
    user: Flags.string({ description: 'email address of the user the key acts as (default: the only one)', helpValue: 'EMAIL' }),
    workspace: workspaceFlag,
  };

  async run() {
    const { args, flags } = await this.parse(KeyCreate);
    const expiresAt = flags.expires === undefined ? null : instantFlag(flags.expires, 'expires');
    const result = await this.withApp(flags, async (app) => {
      const workspace = await findWorkspace(app.db, flags.workspace);
      const user = flags.user === undefined ? await onlyUser(app.db, workspace.id) : await findUserByEmail(app.db, flags.user);
      if (user === undefined)
        throw invalid(
          `--user: workspace "${workspace.name}" does not have exactly one user; name theirs with --user EMAIL (see: outreach user list)`,
        );
      const { id, key } = await createMemberKey(app, workspace, user, { name: args.name, expiresAt });
      const expires = expiresAt === null ? {} : { expires_at: expiresAt.toISOString() };
      return { id, name: args.name.trim(), user_id: user.id, workspace_id: workspace.id, key, ...expires };
    });
    this.log(record(result));
    return result;
  }
}

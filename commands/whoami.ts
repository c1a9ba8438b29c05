import { ClientCommand } from '../src/cli/client/client-command.ts';

export default class Whoami extends ClientCommand {
  static override description = 'Show the server, the user and the workspace that commands work with';
  static override examples = ['<%= config.bin %> whoami'];

  async run() {
    const { flags } = await this.parse(Whoami);
    const api = await this.client(flags);
    const [me, workspace] = await Promise.all([api.access.me.query({}), api.access.workspace.query({})]);
    const who = this.server === null ? 'The operator of this machine' : `${me.name} <${me.email}> at ${this.server}`;
    this.logLine(`${who}, ${me.role} in workspace "${workspace.name}".`);
    return { url: this.server, ...me, workspace_id: workspace.id, workspace: workspace.name };
  }
}

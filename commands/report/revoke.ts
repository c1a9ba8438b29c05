import { Args } from '@oclif/core';
import { listedId } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class ReportRevoke extends ClientCommand {
  static override description = 'Revoke a link to a report\n\nIt shows nothing from now on.';
  static override examples = ['<%= config.bin %> report revoke 4'];
  static override args = { link: Args.string({ required: true, description: 'id of the link' }) };

  async run() {
    const { args, flags } = await this.parse(ReportRevoke);
    const id = listedId(args.link, 'a link', 'report links');
    const api = await this.client(flags);
    await api.reportLinks.remove.mutate({ id });
    this.logLine(`Link ${id} is revoked; it shows nothing from now on.`);
    return { revoked: id };
  }
}

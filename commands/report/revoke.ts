import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { invalid } from '../../src/core/errors.ts';

export default class ReportRevoke extends ClientCommand {
  static override description = 'Revoke a link to a report\n\nIt shows nothing from now on.';
  static override examples = ['<%= config.bin %> report revoke 4'];
  static override args = { link: Args.string({ required: true, description: 'id of the link' }) };

  async run() {
    const { args, flags } = await this.parse(ReportRevoke);
    if (!/^[1-9]\d{0,9}$/.test(args.link)) throw invalid(`"${args.link}" is not the id of a link; outreach report links shows them`);
    const id = Number(args.link);
    const api = await this.client(flags);
    await api.reportLinks.remove.mutate({ id });
    this.logLine(`Link ${id} is revoked; it shows nothing from now on.`);
    return { revoked: id };
  }
}

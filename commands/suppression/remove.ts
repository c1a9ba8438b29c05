import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class SuppressionRemove extends ClientCommand {
  static override description = `Remove suppressions of addresses and domains

Enrolments that were stopped are not resumed. An address may still be suppressed by its domain or by another workspace; the command says so.`;
  static override examples = [
    '<%= config.bin %> suppression remove never@example.org',
    '<%= config.bin %> suppression remove @example.com @example.net',
  ];
  static override args = {
    address: Args.string({ required: true, multiple: true, description: 'email address, or @ and a domain; several may be given' }),
  };

  async run() {
    const { args, flags } = await this.parse(SuppressionRemove);
    const api = await this.client(flags);
    const data = await this.oneByOne(args.address, String, async (email) => {
      const { still_suppressed } = await api.suppressions.remove.mutate({ email });
      const rest = still_suppressed ? ', but is still not emailed, because of its domain, another workspace or an erasure' : '';
      this.logLine(`${email} is no longer suppressed here${rest}.`);
      return { email, still_suppressed };
    });
    return { data };
  }
}

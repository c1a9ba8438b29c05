import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class SuppressionAdd extends ClientCommand {
  static override description = `Suppress addresses and domains, which are then never emailed

@example.com stands for every address at example.com and its subdomains. Active enrolments are stopped.`;
  static override examples = [
    '<%= config.bin %> suppression add never@example.org --reason "asked by phone"',
    '<%= config.bin %> suppression add @example.com @example.net',
  ];
  static override args = {
    address: Args.string({ required: true, multiple: true, description: 'email address, or @ and a domain; several may be given' }),
  };
  static override flags = { reason: Flags.string({ description: 'reason, for you to remember', helpValue: 'TEXT' }) };

  async run() {
    const { args, flags } = await this.parse(SuppressionAdd);
    const api = await this.client(flags);
    const data = await this.oneByOne(args.address, String, async (email) => {
      const suppression = await api.suppressions.add.mutate({ email, reason: flags.reason });
      this.logLine(`${suppression.email} is suppressed.`);
      return suppression;
    });
    return { data };
  }
}

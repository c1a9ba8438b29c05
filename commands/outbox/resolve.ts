import { Args, Flags } from '@oclif/core';
import { idArgument } from '../../src/cli/argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class OutboxResolve extends ClientCommand {
  static override description = 'Resolve an email whose delivery is unknown after a crash';
  static override examples = ['<%= config.bin %> outbox resolve 812 --sent', '<%= config.bin %> outbox resolve 812 --resend'];
  static override args = { id: Args.string({ required: true, description: 'id of the email, from outbox list' }) };
  static override flags = {
    resend: Flags.boolean({ description: 'send it again with the same Message-ID', exactlyOne: ['sent', 'resend'] }),
    sent: Flags.boolean({ description: 'treat it as sent and continue the sequence', exactlyOne: ['sent', 'resend'] }),
  };

  async run() {
    const { args, flags } = await this.parse(OutboxResolve);
    const id = idArgument(args.id, 'email');
    const api = await this.client(flags);
    const resolved = await api.outbox.resolve.mutate({ id, decision: flags.sent ? 'sent' : 'resend' });
    this.log(flags.sent ? `Email ${id} counts as sent.` : `Email ${id} will be sent again.`);
    return resolved;
  }
}

import { Args, Flags } from '@oclif/core';
import { operator } from '../../src/access/index.ts';
import { idArgument } from '../../src/cli/argument.ts';
import { OutreachCommand } from '../../src/cli/command.ts';

export default class OutboxResolve extends OutreachCommand {
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
    const decision = flags.sent ? 'sent' : 'resend';
    const { resolveOutbox } = await import('../../src/sending/index.ts');
    await this.withApp(flags, (app) => resolveOutbox(app, operator(0), id, decision));
    this.log(flags.sent ? `Email ${id} counts as sent.` : `Email ${id} will be sent again.`);
    return { id, decision };
  }
}

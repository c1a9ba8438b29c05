import { Args, Flags } from '@oclif/core';
import { operator } from '../../src/access/index.ts';
import { idArgument, OutreachCommand } from '../../src/cli/command.ts';

export default class OutboxResolve extends OutreachCommand {
  static override description = 'decide what became of a mail whose delivery is unknown after a crash';
  static override examples = ['<%= config.bin %> outbox resolve 812 --sent', '<%= config.bin %> outbox resolve 812 --resend'];
  static override args = { id: Args.string({ required: true, description: 'id of the mail, as outbox list shows it' }) };
  static override flags = {
    resend: Flags.boolean({ description: 'send it again, under the same Message-ID', exactlyOne: ['sent', 'resend'] }),
    sent: Flags.boolean({ description: 'take it for delivered; the sequence goes on', exactlyOne: ['sent', 'resend'] }),
  };

  async run() {
    const { args, flags } = await this.parse(OutboxResolve);
    const id = idArgument(args.id, 'mail');
    const decision = flags.sent ? 'sent' : 'resend';
    const { resolveOutbox } = await import('../../src/sending/index.ts');
    await this.withApp(flags, (app) => resolveOutbox(app, operator(0), id, decision));
    this.log(flags.sent ? `Mail ${id} counts as sent.` : `Mail ${id} will be sent again.`);
    return { id, decision };
  }
}

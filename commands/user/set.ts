import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { findMember } from '../../src/cli/client/users.ts';
import { isSameAddress } from '../../src/core/email-address.ts';

export default class UserSet extends ClientCommand {
  static override description = `Set when a user gets a daily summary by email

The summary has the new replies and what needs a person, as far as the user may see it. It needs the settings system_smtp_url and \
system_from. You can set your own; an admin can set everybody's.`;
  static override examples = [
    '<%= config.bin %> user set ada@example.com --daily-summary 08:00 --timezone Europe/Berlin',
    '<%= config.bin %> user set ada@example.com --daily-summary off',
  ];
  static override args = { email: Args.string({ required: true, description: 'email address of the user' }) };
  static override flags = {
    'daily-summary': Flags.string({ description: 'time of the day, such as 08:00, or off', required: true, helpValue: 'T' }),
    timezone: Flags.string({ description: 'time zone of that time (default: that of the workspace, or UTC)', helpValue: 'Z' }),
  };

  async run() {
    const { args, flags } = await this.parse(UserSet);
    const api = await this.client(flags);
    const time = { at: flags['daily-summary'] === 'off' ? null : flags['daily-summary'], timezone: flags.timezone };
    const me = await api.access.me.query({});
    const isOwn = isSameAddress(me.email, args.email);
    const id = isOwn ? me.user_id : (await findMember(api, args.email)).id;
    const summary = isOwn ? await api.dailySummaries.setOwn.mutate(time) : await api.dailySummaries.set.mutate({ id, ...time });
    this.log(
      summary.at === null
        ? `${args.email} gets no daily summary.`
        : `${args.email} gets a daily summary at ${summary.at} ${summary.timezone}, next at ${summary.next_at} UTC.`,
    );
    return { ...summary, email: args.email };
  }
}

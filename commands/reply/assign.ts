import { Args } from '@oclif/core';
import type { Api } from '../../src/cli/client/api.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';
import { isSameAddress } from '../../src/core/email-address.ts';
import { invalid, notFound } from '../../src/core/errors.ts';

export default class ReplyAssign extends ClientCommand {
  static override description =
    'Assign a reply to a user\n\nOnly admins can name a user by email address. The user "nobody" removes the assignment.';
  static override examples = ['<%= config.bin %> reply assign 31 zoe@example.com', '<%= config.bin %> reply assign 31 nobody'];
  static override args = {
    reply: replyArgument,
    user: Args.string({ required: true, description: 'id or email address of a user, or nobody' }),
  };

  async run() {
    const { args, flags } = await this.parse(ReplyAssign);
    const api = await this.client(flags);
    const assigned_to = args.user === 'nobody' ? null : await userId(api, args.user);
    const reply = await api.replies.update.mutate({ id: replyId(args.reply), assigned_to });
    this.logLine(assigned_to === null ? `Reply ${reply.id} is assigned to nobody.` : `Reply ${reply.id} is assigned to ${args.user}.`);
    return reply;
  }
}

async function userId(api: Api, user: string): Promise<number> {
  if (/^[1-9]\d{0,9}$/.test(user)) return Number(user);
  const me = await api.access.me.query({});
  if (isSameAddress(me.email, user) && me.user_id !== null) return me.user_id;
  if (me.role !== 'admin') throw invalid('user: only an admin can look up the addresses of others; give the id of the user');
  const { data } = await api.users.list.query({});
  const found = data.find(({ email }) => isSameAddress(email, user));
  if (found === undefined) throw notFound(`user "${user}"`);
  return found.id;
}

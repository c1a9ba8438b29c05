import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { chosenReplies, replyFilters } from '../../src/cli/client/reply-arguments.ts';
import { userIdOf } from '../../src/cli/client/users.ts';
import { quantity } from '../../src/core/english.ts';

export default class ReplyAssign extends ClientCommand {
  static override description = `Assign replies to a user

Only admins can name a user by email address. The user "nobody" removes the assignment. Instead of ids, the filters of reply list choose the replies.`;
  static override examples = [
    '<%= config.bin %> reply assign 31 zoe@example.com',
    '<%= config.bin %> reply assign 29 30 27 nobody',
    '<%= config.bin %> reply assign --campaign "Spring fair" --unread zoe@example.com',
  ];
  static override args = {
    reply: Args.string({
      required: true,
      multiple: true,
      description: 'ids of replies unless filters choose them, then the id or email address of a user, or nobody',
    }),
  };
  static override flags = replyFilters;

  async run() {
    const { args, flags } = await this.parse(ReplyAssign);
    const api = await this.client(flags);
    const words = args.reply.slice(0, -1);
    const user = args.reply.at(-1) ?? '';
    const ids = await chosenReplies(api, words, flags);
    const assigned_to = user === 'nobody' ? null : await userIdOf(api, user);
    const data = await this.oneByOne(ids, String, (id) => api.replies.update.mutate({ id, assigned_to }));
    const [only] = data;
    const which = only !== undefined && data.length === 1 ? `Reply ${only.id} is` : `${quantity(data.length, 'reply', 'replies')} are`;
    this.logLine(`${which} assigned to ${user}.`);
    return only !== undefined && words.length === 1 ? only : { data };
  }
}

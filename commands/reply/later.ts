import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';
import { campaignFrame } from '../../src/cli/client/time-frame.ts';
import { instantText, TIMES } from '../../src/cli/instant.ts';
import { localText } from '../../src/terminal/local-text.ts';

export default class ReplyLater extends ClientCommand {
  static override description = `Put a reply off until a time

It is marked as read, and labelled "later" if it has no label. At that time it is unread again and comes before all other replies, until \
somebody reads, labels or answers it. An answer ends the wait.`;
  static override examples = [
    '<%= config.bin %> reply later 31 --until "monday 9:00"',
    '<%= config.bin %> reply later 31 --until 2w',
    '<%= config.bin %> reply later 31 --until none',
  ];
  static override args = { reply: replyArgument };
  static override flags = {
    until: Flags.string({
      required: true,
      description: `when it comes back, in the zone of the campaign, ${TIMES}, or none`,
      helpValue: 'TIME',
    }),
  };

  async run() {
    const { args, flags } = await this.parse(ReplyLater);
    const api = await this.client(flags);
    const id = replyId(args.reply);
    if (flags.until === 'none') {
      const reply = await api.replies.update.mutate({ id, later_until: null });
      this.logLine(`Reply ${id} is no longer put off.`);
      return reply;
    }
    const frame = await campaignFrame(api, (await api.replies.get.query({ id })).campaign_id, 'future');
    const until = instantText(flags.until, '--until', frame);
    const reply = await api.replies.update.mutate({ id, later_until: until });
    this.logLine(`Reply ${id} of ${reply.from} comes back at ${localText(until, frame.timezone)}.`);
    return reply;
  }
}

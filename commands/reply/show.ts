import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';
import { describeReply } from '../../src/cli/describe/reply.ts';
import { terminalText } from '../../src/core/terminal-text.ts';
import { extrasOf } from '../../src/terminal/answer-extras.ts';
import { localText } from '../../src/terminal/local-text.ts';

export default class ReplyShow extends ClientCommand {
  static override description = 'Show a reply with its text and its thread';
  static override examples = ['<%= config.bin %> reply show 31'];
  static override args = { reply: replyArgument };

  async run() {
    const { args, flags } = await this.parse(ReplyShow);
    const api = await this.client(flags);
    const reply = await api.replies.get.query({ id: replyId(args.reply) });
    const { text, attachments, drafts, thread } = reply;
    const campaign = await api.campaigns.get.query({ id: reply.campaign_id });
    const at = (time: string) => localText(time, campaign.timezone);
    if (!this.jsonEnabled()) this.draw(await describeReply(api, reply, campaign));
    this.log(`\n${terminalText(text)}\n`);
    for (const line of extrasOf({ cc: [], attachments })) this.logLine(line);
    for (const message of thread.filter(({ type, reply_id }) => type === 'step' || type === 'answer' || reply_id !== reply.id)) {
      const what = message.type === 'step' ? `email of step ${message.step_order}` : message.type.replaceAll('_', ' ');
      const state = message.state === null || message.state === 'sent' ? '' : `, ${message.state}`;
      this.logLine(`── ${at(message.at)}  ${what}${state}  ${message.from} → ${message.to}  ${message.subject}`);
      if (message.error !== null) this.logLine(message.error);
      for (const line of extrasOf(message)) this.logLine(line);
      this.log(`${terminalText(message.text ?? '(its text is not kept)')}\n`);
    }
    for (const draft of drafts) {
      this.logLine(`── ${at(draft.created_at)}  draft ${draft.id} of an answer  ${draft.subject}`);
      for (const line of extrasOf(draft)) this.logLine(line);
      this.log(`${terminalText(draft.body_text)}\n`);
    }
    // A contact who opted out expects no answer.
    if (reply.kind !== 'unsubscribe_request') this.next(`reply answer ${reply.id} --editor`);
    return reply;
  }
}

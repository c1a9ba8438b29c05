import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';
import { describeReply } from '../../src/cli/describe/reply.ts';
import { terminalText } from '../../src/core/terminal-text.ts';

export default class ReplyShow extends ClientCommand {
  static override description = 'Show a reply with its text and its thread';
  static override examples = ['<%= config.bin %> reply show 31'];
  static override args = { reply: replyArgument };

  async run() {
    const { args, flags } = await this.parse(ReplyShow);
    const api = await this.client(flags);
    const reply = await api.replies.get.query({ id: replyId(args.reply) });
    const { text, attachments, thread } = reply;
    if (!this.jsonEnabled()) this.draw(await describeReply(api, reply));
    this.log(`\n${terminalText(text)}\n`);
    for (const { name, size } of attachments) this.logLine(`attachment  ${name} (${size.toLocaleString('en-GB')} bytes)`);
    for (const message of thread.filter(({ type, reply_id }) => type === 'step' || type === 'answer' || reply_id !== reply.id)) {
      const what = message.type === 'step' ? `email of step ${message.step_order}` : message.type.replaceAll('_', ' ');
      const state = message.state === null || message.state === 'sent' ? '' : `, ${message.state}`;
      this.logLine(`── ${message.at} UTC  ${what}${state}  ${message.from} → ${message.to}  ${message.subject}`);
      if (message.error !== null) this.logLine(message.error);
      this.log(`${terminalText(message.text ?? '(its text is not kept)')}\n`);
    }
    this.next(`reply answer ${reply.id} --editor`);
    return reply;
  }
}

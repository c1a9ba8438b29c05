import { Flags } from '@oclif/core';
import { contentOf } from '../../src/cli/body-flags.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';

export default class ReplyAnswer extends ClientCommand {
  static override description = `Answer a reply

A daemon sends the answer within seconds, from the account that was answered, in the thread, with its signature and the reply quoted below.`;
  static override examples = [
    '<%= config.bin %> reply answer 31 --text-file answer.txt',
    '<%= config.bin %> reply answer 31 --text-file - < answer.txt',
  ];
  static override args = { reply: replyArgument };
  static override flags = {
    'even-if-suppressed': Flags.boolean({ description: 'also to an address that is suppressed' }),
    subject: Flags.string({ description: 'subject (default: that of the reply)', helpValue: 'S' }),
    'text-file': Flags.string({ required: true, description: 'text of the answer, or - for stdin', helpValue: 'FILE' }),
  };

  async run() {
    const { args, flags } = await this.parse(ReplyAnswer);
    const api = await this.client(flags);
    const reply = await api.replies.answer.mutate({
      ...{ id: replyId(args.reply), text: contentOf(flags['text-file']), subject: flags.subject },
      even_if_suppressed: flags['even-if-suppressed'],
    });
    this.logLine(`The answer to ${reply.from} is queued; a daemon sends it within seconds.`);
    this.next(`reply show ${reply.id}`);
    return reply;
  }
}

import { Flags } from '@oclif/core';
import { AnswerCommand, answerFlags } from '../../src/cli/client/answer-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';
import { once } from '../../src/client/repeat-cut-off.ts';

export default class ReplyAnswer extends AnswerCommand {
  static override description = `Answer a reply

A daemon sends the answer within seconds, from the account that was answered, in the thread, with its signature and the reply quoted below. \
--editor opens the editor that VISUAL or EDITOR names; if the file has no answer in it when it is closed, nothing is sent. An answer that \
could not be sent is kept, and the error says where. {{> NAME}} in the text puts the template of that name there.`;
  static override examples = [
    '<%= config.bin %> reply answer 31 --editor',
    '<%= config.bin %> reply answer 31 --text-file answer.txt --at "tomorrow 9:00"',
    '<%= config.bin %> reply answer 31 --text-file - < answer.txt',
    '<%= config.bin %> reply answer 31 --template Prices',
    '<%= config.bin %> reply answer 31 --editor --cc boss@example.org --attach offer.pdf',
  ];
  static override args = { reply: replyArgument };
  static override flags = {
    ...answerFlags,
    'even-if-suppressed': Flags.boolean({ description: 'also to an address that is suppressed' }),
  };

  async run() {
    const { args, flags } = await this.parse(ReplyAnswer);
    const api = await this.client(flags);
    const id = replyId(args.reply);
    const time = await this.timeOf(api, id, flags.at);
    const attachments = await this.uploaded(flags, flags.attach);
    const fields = {
      ...{ id, subject: flags.subject, cc: flags.cc, attachments },
      ...{ even_if_suppressed: flags['even-if-suppressed'], send_at: time?.instant },
    };
    const options = once();
    const reply = await this.written(api, id, flags, (text) => api.replies.answer.mutate({ ...fields, text }, options));
    const copies = flags.cc === undefined ? '' : `, with a copy to ${flags.cc.join(' and ')}`;
    this.logLine(`Answer to ${reply.from}${copies} queued. It is sent ${time === undefined ? 'within seconds' : `at ${time.local}`}.`);
    this.next(`reply show ${reply.id}`);
    return reply;
  }
}

import { AnswerCommand, answerFlags } from '../../src/cli/client/answer-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';
import { once } from '../../src/client/repeat-cut-off.ts';

export default class ReplyDraft extends AnswerCommand {
  static override description = `Draft an answer to a reply

Nothing is sent before somebody approves it: "reply drafts" lists what waits, "reply revise" changes it, "reply approve" sends it and "reply \
discard" throws it away. A key with the scopes read and drafts can draft answers and send nothing.`;
  static override examples = ['<%= config.bin %> reply draft 31 --editor', '<%= config.bin %> reply draft 31 --text-file - < answer.txt'];
  static override args = { reply: replyArgument };
  static override flags = answerFlags;

  async run() {
    const { args, flags } = await this.parse(ReplyDraft);
    const api = await this.client(flags);
    const id = replyId(args.reply);
    const send_at = (await this.timeOf(api, id, flags.at))?.instant;
    const fields = { id, subject: flags.subject, cc: flags.cc, attachments: await this.uploaded(flags, flags.attach), send_at };
    const options = once();
    const draft = await this.written(api, id, flags, (text) => api.draft.answer.mutate({ ...fields, text }, options));
    this.logLine(`Draft ${draft.id} of an answer to ${draft.to} waits for approval.`);
    this.next(`reply approve ${draft.id}`);
    return draft;
  }
}

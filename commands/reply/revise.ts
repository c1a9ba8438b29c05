import { Flags } from '@oclif/core';
import { AnswerCommand, answerFlags } from '../../src/cli/client/answer-command.ts';
import { draftArgument, draftId } from '../../src/cli/client/reply-arguments.ts';
import { requireUnchanged } from '../../src/client/unchanged-draft.ts';
import { invalid } from '../../src/core/errors.ts';

const { at, attach, cc, subject, 'text-file': textFile } = answerFlags;

export default class ReplyRevise extends AnswerCommand {
  static override description = `Change a drafted answer

With --editor, you change its text in your editor, with the reply below. --cc and --attach replace all that the draft has; "none" takes them off.`;
  static override examples = [
    '<%= config.bin %> reply revise 12 --editor',
    '<%= config.bin %> reply revise 12 --at "tomorrow 9:00"',
    '<%= config.bin %> reply revise 12 --cc boss@example.org --attach none',
  ];
  static override args = { draft: draftArgument };
  static override flags = {
    ...{ at, attach, cc, subject, 'text-file': textFile },
    editor: Flags.boolean({ description: 'change the text in an editor', exclusive: ['text-file'] }),
  };

  async run() {
    const { args, flags } = await this.parse(ReplyRevise);
    const api = await this.client(flags);
    const draft = await api.draft.get.query({ id: draftId(args.draft) });
    const { id, reply_id: replyId } = draft;
    const file = flags['text-file'];
    if (!flags.editor && [file, flags.subject, flags.at, flags.cc, flags.attach].every((flag) => flag === undefined))
      throw invalid('nothing to change; pass --editor, --text-file, --subject, --cc, --attach or --at');
    const send_at = (await this.timeOf(api, replyId, flags.at))?.instant;
    const attachments = await this.uploaded(flags, unlessNone(flags.attach));
    const fields = { id, subject: flags.subject, cc: unlessNone(flags.cc), attachments, send_at };
    const save = async (text?: string) => {
      if (flags.editor) await requireUnchanged(api, draft);
      return api.draft.update.mutate({ ...fields, text });
    };
    const revised = flags.editor || file !== undefined ? await this.written(api, replyId, flags, save, draft.body_text) : await save();
    this.logLine(`Draft ${id} of an answer to ${revised.to} is changed.`);
    this.next(`reply approve ${id}`);
    return revised;
  }
}

/** Returns the values of a repeatable flag; an empty list for the word "none". */
const unlessNone = (values: string[] | undefined): string[] | undefined => (values?.length === 1 && values[0] === 'none' ? [] : values);

import { Flags } from '@oclif/core';
import { contentOf } from '../../src/cli/body-flags.ts';
import type { Api } from '../../src/cli/client/api.ts';
import { apiError } from '../../src/cli/client/api-error.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { replyArgument, replyId } from '../../src/cli/client/reply-arguments.ts';
import { campaignFrame } from '../../src/cli/client/time-frame.ts';
import { instantText, localText, TIMES } from '../../src/cli/instant.ts';
import { once } from '../../src/client/repeat-cut-off.ts';
import { conflict } from '../../src/core/errors.ts';
import { writeAnswer } from '../../src/editor/write-answer.ts';

export default class ReplyAnswer extends ClientCommand {
  static override description = `Answer a reply

A daemon sends the answer within seconds, from the account that was answered, in the thread, with its signature and the reply quoted below. \
--editor opens the editor that VISUAL or EDITOR names; if the file has no answer in it when it is closed, nothing is sent. An answer that \
could not be sent is kept, and the error says where.`;
  static override examples = [
    '<%= config.bin %> reply answer 31 --editor',
    '<%= config.bin %> reply answer 31 --text-file answer.txt --at "tomorrow 9:00"',
    '<%= config.bin %> reply answer 31 --text-file - < answer.txt',
  ];
  static override args = { reply: replyArgument };
  static override flags = {
    at: Flags.string({ description: `when to send it, in the zone of the campaign, ${TIMES} (default: at once)`, helpValue: 'TIME' }),
    editor: Flags.boolean({ description: 'write the answer in an editor, with the reply below', exactlyOne: ['editor', 'text-file'] }),
    'even-if-suppressed': Flags.boolean({ description: 'also to an address that is suppressed' }),
    subject: Flags.string({ description: 'subject (default: that of the reply)', helpValue: 'S' }),
    'text-file': Flags.string({ description: 'text of the answer, or - for stdin', helpValue: 'FILE' }),
  };

  async run() {
    const { args, flags } = await this.parse(ReplyAnswer);
    const api = await this.client(flags);
    const id = replyId(args.reply);
    const frame =
      flags.at === undefined ? undefined : await campaignFrame(api, (await api.replies.get.query({ id })).campaign_id, 'future');
    const at = flags.at === undefined || frame === undefined ? undefined : instantText(flags.at, '--at', frame);
    const fields = { id, subject: flags.subject, even_if_suppressed: flags['even-if-suppressed'], send_at: at };
    const options = once();
    const send = (text: string) => api.replies.answer.mutate({ ...fields, text }, options);
    const reply = flags['text-file'] === undefined ? await this.#edit(api, id, send) : await send(contentOf(flags['text-file']));
    const when = at === undefined || frame === undefined ? 'within seconds' : `at ${localText(at, frame.timezone)}`;
    this.logLine(`Answer to ${reply.from} queued. It is sent ${when}.`);
    this.next(`reply show ${reply.id}`);
    return reply;
  }

  async #edit<Sent>(api: Api, id: number, send: (text: string) => Promise<Sent>): Promise<Sent> {
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw conflict('there is no terminal for an editor; use --text-file');
    const reply = await api.replies.get.query({ id });
    return writeAnswer(id, reply, (text) =>
      send(text).catch((error: unknown) => {
        throw apiError(error, this.server ?? undefined);
      }),
    );
  }
}

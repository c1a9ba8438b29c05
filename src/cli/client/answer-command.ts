import { Flags } from '@oclif/core';
import { conflict } from '../../core/errors.ts';
import { writeAnswer } from '../../editor/write-answer.ts';
import { localText } from '../../terminal/local-text.ts';
import type { NamedFile } from '../../uploads/attachments.ts';
import { contentOf } from '../body-flags.ts';
import { instantText, TIMES } from '../instant.ts';
import type { Api } from './api.ts';
import { apiError } from './api-error.ts';
import { ClientCommand } from './client-command.ts';
import { idOf } from './names.ts';
import type { TargetFlags } from './target.ts';
import { campaignFrame } from './time-frame.ts';

/** The flags of the commands that write an answer. */
export const answerFlags = {
  at: Flags.string({ description: `when to send it, in the zone of the campaign, ${TIMES} (default: at once)`, helpValue: 'TIME' }),
  attach: Flags.string({
    description: 'file to attach, at most 10, of 15 MiB in all; may be repeated',
    helpValue: 'FILE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  cc: Flags.string({
    description: 'address that gets a copy, at most 10; may be repeated',
    helpValue: 'ADDR',
    multiple: true,
    multipleNonGreedy: true,
  }),
  editor: Flags.boolean({
    description: 'write the answer in an editor, with the reply below',
    exactlyOne: ['editor', 'text-file', 'template'],
  }),
  subject: Flags.string({ description: 'subject (default: that of the reply)', helpValue: 'S' }),
  template: Flags.string({ description: 'id or name of a template that is the answer, merged with the contact', helpValue: 'TEMPLATE' }),
  'text-file': Flags.string({ description: 'text of the answer, or - for stdin', helpValue: 'FILE' }),
};

/** The base of the commands that write an answer to a reply. */
export abstract class AnswerCommand extends ClientCommand {
  /** The time of --at, as the API takes it and in the campaign's zone; undefined without it. Throws `invalid_request`. */
  protected async timeOf(api: Api, replyId: number, at: string | undefined): Promise<{ instant: string; local: string } | undefined> {
    if (at === undefined) return undefined;
    const frame = await campaignFrame(api, (await api.replies.get.query({ id: replyId })).campaign_id, 'future');
    const instant = instantText(at, '--at', frame);
    return { instant, local: localText(instant, frame.timezone) };
  }

  /** Uploads the files of --attach, to be named in an answer; undefined without any. Throws `invalid_request`. */
  protected async uploaded(flags: TargetFlags, paths: readonly string[] | undefined): Promise<NamedFile[] | undefined> {
    if (paths === undefined) return undefined;
    const { uploadFile } = await import('./upload-file.ts');
    const files: NamedFile[] = [];
    for (const path of paths) {
      const { name, sha256 } = await uploadFile(flags, this.target(flags), path);
      files.push({ name, sha256 });
    }
    return files;
  }

  /**
   * Passes on the text of --text-file, the template of --template, or what a person writes in their editor.
   * @param begun text that is already written
   */
  protected async written<Result>(
    api: Api,
    replyId: number,
    { 'text-file': file, template }: { 'text-file'?: string | undefined; template?: string | undefined },
    pass: (text: string) => Promise<Result>,
    begun?: string,
  ): Promise<Result> {
    if (file !== undefined) return pass(await contentOf(file));
    if (template !== undefined) return pass(`{{> ${(await api.templates.get.query({ id: await idOf(api, 'template', template) })).name}}}`);
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw conflict('there is no terminal for an editor; use --text-file');
    const reply = await api.replies.get.query({ id: replyId });
    const passOn = (text: string) =>
      pass(text).catch((error: unknown) => {
        throw apiError(error, this.server ?? undefined);
      });
    return writeAnswer(replyId, reply, passOn, { ...(begun !== undefined && { begun }) });
  }
}

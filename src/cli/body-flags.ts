import { Flags, type Interfaces } from '@oclif/core';
import { invalid } from '../core/errors.ts';
import { type Wait, waitFault, waitOf } from '../core/wait-text.ts';
import { paragraphsOf } from '../html/paragraphs.ts';
import { readInput } from './read-input.ts';

/** A flag that names a file and excludes another flag. */
export const fileFlag = (description: string, other: string) => Flags.string({ description, helpValue: 'FILE', exclusive: [other] });

/** The flags of `campaign step add` and `campaign step set` for the content of a step. */
export const bodyFlags = {
  'body-file': fileFlag('HTML of the body, or - for stdin', 'text-file'),
  'body-file-b': fileFlag('HTML of the body of variant B', 'text-file-b'),
  subject: Flags.string({ description: 'subject; only step 1 needs one', helpValue: 'S' }),
  'subject-b': Flags.string({ description: 'subject of variant B', helpValue: 'S' }),
  template: Flags.string({
    description: 'template whose body and subject to take, by id or name',
    helpValue: 'T',
    exclusive: ['body-file', 'text-file'],
  }),
  'text-file': fileFlag('text of the body, whose paragraphs are separated by empty lines, or - for stdin', 'body-file'),
  'text-file-b': fileFlag('text of the body of variant B', 'body-file-b'),
  wait: Flags.string({
    description: 'time to wait after the step before: days, or as in "6 hours" or "3 business days"',
    helpValue: 'TIME',
  }),
};

/** Returns the fields of a step that the flags give, undefined for the others. Throws `invalid_request` for a file that can't be read. */
export async function stepFrom(flags: Interfaces.InferredFlags<typeof bodyFlags>) {
  return {
    body_html: await bodyFrom(flags['body-file'], flags['text-file']),
    body_html_b: await bodyFrom(flags['body-file-b'], flags['text-file-b']),
    subject: flags.subject,
    subject_b: flags['subject-b'],
    ...(flags.wait === undefined ? {} : waitFrom(flags.wait)),
  };
}

/** Parses a wait such as `3`, in days, or `6 hours`. Throws `invalid_request`. */
function waitFrom(text: string): Required<Wait> {
  const wait = /^\d+$/.test(text.trim()) ? `${text.trim()} days` : text.trim();
  const fault = waitFault(wait);
  if (fault !== null) throw invalid(`--wait: ${fault}`);
  return waitOf(wait);
}

/** HTML from the file of --body-file or of --text-file; undefined if neither is given. Throws `invalid_request`. */
export async function bodyFrom(html: string | undefined, text: string | undefined): Promise<string | undefined> {
  if (html !== undefined) return contentOf(html);
  return text === undefined ? undefined : paragraphsOf(await contentOf(text));
}

/** The text of a file, or of stdin for `-`. Throws `invalid_request` if it is blank or can't be read. */
export async function contentOf(path: string): Promise<string> {
  const content = await readInput(path);
  if (content.trim() === '') throw invalid(`${path === '-' ? 'stdin' : path} is empty`);
  return content;
}

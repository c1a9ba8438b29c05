import { Args, Flags } from '@oclif/core';
import { fileFlag } from '../body-flags.ts';

/** The argument of every command about one template. */
export const templateArgument = Args.string({ required: true, description: 'id or name of the template or signature' });

/** The flags that `template create` and `template set` share. */
export const templateFlags = {
  'body-file': fileFlag('HTML of the body, or - for stdin', 'text-file'),
  shared: Flags.option({ options: ['true', 'false'] as const, description: 'share it with everyone in the workspace' })(),
  subject: Flags.string({ description: 'subject, or none', helpValue: 'S' }),
  'text-file': fileFlag('text of the body, whose paragraphs are separated by empty lines, or - for stdin', 'body-file'),
};

/** The subject in --subject: null for `none`, undefined if it is not given. */
export const subjectFrom = (text: string | undefined): string | null | undefined => (text === 'none' ? null : text);

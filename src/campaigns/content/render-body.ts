import { addAtBodyEnd } from '../../html/body-end.ts';
import { withoutComments } from '../../html/comments.ts';
import type { MergeValues } from './merge-values.ts';
import { OPT_OUT } from './placeholders.ts';
import { MAX_MERGED, type Rendering, render } from './render.ts';

/** The sources of an email's body, apart from the values of its contact. */
export interface BodyContent {
  body: string;
  signature: string | null;
  /** The workspace's footer; null if there is none or the campaign has none. */
  footer: string | null;
  /** True to take one text of each choice `{a|b}`. */
  spintax: boolean;
}

interface BodyOf {
  values: MergeValues;
  /** The contact that it is written for; 0 without one. Together with the step it decides which texts of choices are taken. */
  contactId: number;
  /** Number of the step. */
  stepOrder: number;
}

/** Renders a body for one contact. Adds the footer if the body has no visible unsubscribe link. */
export function renderBody(content: BodyContent, email: BodyOf): Rendering {
  const optionsOf = (part: 'body' | 'footer') => ({
    escape: 'html' as const,
    spintax: content.spintax,
    signatureHtml: content.signature ?? '',
    seed: seedOf(email, email.stepOrder, part),
  });
  const body = render(content.body, email.values, optionsOf('body'));
  if (content.footer === null || body.isTooLarge || isOptOutSeen(body, email.values)) return body;
  const footer = render(content.footer, email.values, optionsOf('footer'));
  const text = addAtBodyEnd(body.text, footer.text);
  const isTooLarge = footer.isTooLarge || Buffer.byteLength(text) > MAX_MERGED;
  return { text, unknown: [...body.unknown, ...footer.unknown], ...(isTooLarge ? { isTooLarge } : {}) };
}

/** Returns the seed that alone decides which texts of choices are taken. */
export const seedOf = ({ contactId }: Pick<BodyOf, 'contactId'>, stepOrder: number, part: string) => `${contactId} ${stepOrder} ${part}`;

/** True if the body has the unsubscribe link where people see it, not only in a comment. */
const isOptOutSeen = ({ text, hasOptOut }: Rendering, values: MergeValues): boolean =>
  hasOptOut === true && (!text.includes('<!--') || withoutComments(text).includes(values[OPT_OUT] ?? ''));

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
  /** Take one text of each choice `{a|b}`. */
  spintax: boolean;
}

interface BodyOf {
  values: MergeValues;
  /** Whom it is written for; 0 for nobody. With the step it decides what is taken of choices. */
  contactId: number;
  /** Number of the step. */
  stepOrder: number;
}

/** Renders a body for one contact. The footer is added to one without an unsubscribe link. */
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

/** The texts of choices depend on this alone. */
export const seedOf = ({ contactId }: Pick<BodyOf, 'contactId'>, stepOrder: number, part: string) => `${contactId} ${stepOrder} ${part}`;

/** True if the body has the link to unsubscribe by where people see it, and not in a comment. */
const isOptOutSeen = ({ text, hasOptOut }: Rendering, values: MergeValues): boolean =>
  hasOptOut === true && (!text.includes('<!--') || withoutComments(text).includes(values[OPT_OUT] ?? ''));

import { withoutUnsafeLinks } from '../../html/link-targets.ts';
import { markupProblem } from '../../html/markup-limits.ts';
import type { MergeValues } from './merge-values.ts';
import { unknownProblem } from './placeholders.ts';
import { MAX_MERGED, type Rendering, render } from './render.ts';
import { type BodyContent, renderBody, seedOf } from './render-body.ts';

interface StepSubject {
  subject: string;
  subject_b: string | null;
}

interface StepContent extends StepSubject {
  body_html: string;
  body_html_b: string | null;
}

/** An email of a step before it is merged. */
interface UnmergedStep {
  step: StepContent;
  /** Step 1 of the campaign. */
  opening: StepSubject;
  isB: boolean;
  /** Number of the step. */
  stepOrder: number;
  /** The contact that it is written for; 0 without one. Together with the step it decides which texts of choices are taken. */
  contactId: number;
  values: MergeValues;
  /** The campaign's setting: true to take one text of each choice `{a|b}`. */
  spintax: boolean;
  signatureHtml: string | null;
  /** The workspace's footer; null if there is none or the campaign has none. */
  footerHtml: string | null;
  /** Subject of the first email as it was sent; null for an email that opens a thread. */
  threadSubject: string | null;
}

export interface StepRendering {
  subject: string;
  html: string;
  /** The sources of the body. */
  content: BodyContent;
  /** Keys of unknown placeholders. */
  unknown: string[];
  /** Reason why the email can't be sent and is held, as a message for users. Null if it can be sent. */
  fault: string | null;
}

/**
 * Renders a step for one contact, both for sending and for the preview. Group B gets its own subject and body if the test defines them. A
 * follow-up in a thread has the thread's subject with a single `Re: ` (RFC 5322 §3.6.5); an email that opens a thread has the subject of
 * step 1. Only the contact and the number of the step decide which texts of choices are taken. The footer is added to a body without an
 * unsubscribe link. Unsafe links are disabled: a step may have some that were saved before such links were refused.
 */
export function renderStep(email: UnmergedStep): StepRendering {
  const { step, opening, isB, values, spintax } = email;
  const subject: Rendering =
    email.threadSubject === null
      ? render((isB ? opening.subject_b : null) ?? opening.subject, values, { escape: 'none', spintax, seed: seedOf(email, 1, 'subject') })
      : { text: `Re: ${email.threadSubject}`, unknown: [] };
  const content = {
    body: (isB ? step.body_html_b : null) ?? step.body_html,
    spintax,
    signature: email.signatureHtml,
    footer: email.footerHtml,
  };
  const body = renderBody(content, email);
  const unknown = [...new Set([...subject.unknown, ...body.unknown])];
  const fault = faultOf(unknown, subject, body);
  return { subject: subject.text, html: fault === null ? withoutUnsafeLinks(body.text) : body.text, content, unknown, fault };
}

function faultOf(unknown: readonly string[], subject: Rendering, body: Rendering): string | null {
  if (unknown.length > 0) return unknownProblem(unknown);
  if (subject.isTooLarge || body.isTooLarge) return `the email is larger than ${MAX_MERGED / 1024 / 1024} MiB with its values`;
  const problem = markupProblem(body.text);
  return problem === null ? null : `the email ${problem}`;
}

import { type MergeValues, render } from './placeholders.ts';

export interface StepSubject {
  subject: string;
  subject_b: string | null;
}

export interface StepContent extends StepSubject {
  body_html: string;
  body_html_b: string | null;
}

export interface StepRendering {
  subject: string;
  html: string;
  /** Keys of unknown placeholders; an email with any is held. */
  unknown: string[];
}

/**
 * Renders a step for one contact, for sending and for the preview alike. Group B gets its own subject and body where the test
 * defines them. A follow-up in a thread has the thread's subject with a single `Re: ` (RFC 5322 §3.6.5); an email that opens
 * a thread has the subject of step 1.
 */
export function renderStep(email: {
  step: StepContent;
  /** Step 1 of the campaign. */
  opening: StepSubject;
  isB: boolean;
  values: MergeValues;
  signatureHtml: string | null;
  /** Subject of the first email as it was sent; null for an email that opens a thread. */
  threadSubject: string | null;
}): StepRendering {
  const { step, opening, isB, values } = email;
  const subject =
    email.threadSubject === null
      ? render((isB ? opening.subject_b : null) ?? opening.subject, values, { escape: 'none' })
      : { text: `Re: ${email.threadSubject}`, unknown: [] };
  const body = render((isB ? step.body_html_b : null) ?? step.body_html, values, {
    escape: 'html',
    signatureHtml: email.signatureHtml ?? '',
  });
  return { subject: subject.text, html: body.text, unknown: [...new Set([...subject.unknown, ...body.unknown])] };
}

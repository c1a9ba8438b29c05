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
  /** Placeholders that no field has; a mail with any is held. */
  unknown: string[];
}

/**
 * Merges a step for one contact, as it is sent and as it is previewed. Group B gets its own subject and body where the
 * test has them. A mail in a thread carries the thread's subject, with `Re: ` once (RFC 5322 §3.6.5); one that opens a
 * thread carries that of step 1.
 */
export function renderStep(mail: {
  step: StepContent;
  /** Step 1 of the campaign. */
  opening: StepSubject;
  isB: boolean;
  values: MergeValues;
  signatureHtml: string | null;
  /** The subject of the first mail as it was sent; null for a mail that opens a thread. */
  threadSubject: string | null;
}): StepRendering {
  const { step, opening, isB, values } = mail;
  const subject =
    mail.threadSubject === null
      ? render((isB ? opening.subject_b : null) ?? opening.subject, values, { escape: 'none' })
      : { text: `Re: ${mail.threadSubject}`, unknown: [] };
  const body = render((isB ? step.body_html_b : null) ?? step.body_html, values, {
    escape: 'html',
    signatureHtml: mail.signatureHtml ?? '',
  });
  return { subject: subject.text, html: body.text, unknown: [...new Set([...subject.unknown, ...body.unknown])] };
}

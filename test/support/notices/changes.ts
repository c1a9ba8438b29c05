import { ADA, RETURNED } from '../notices.ts';
import type { News, Shape } from './shape.ts';

/** A notice before it is put into MIME. */
export interface Draft {
  from: string;
  subject: string;
  returnPath: string | null;
  text: string;
  /** The delivery status of RFC 3464, or null. */
  status: string | null;
  /** The email that it returns, or null. */
  returned: string | null;
  isHtml: boolean;
  encoding: '8bit' | 'base64';
  /** The message that it is attached to; null if it came on its own. */
  attachedTo: { from: string; subject: string; date: string; text: string } | null;
}

const STATUS: Record<News, string> = {
  gone: 'Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown',
  full: 'Action: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 5.2.2 Mailbox full',
  late: 'Action: delayed\nStatus: 4.4.1\nWill-Retry-Until: Fri, 10 Jul 2026 10:00:00 +0000',
};

/** Returns the notice as its server sends it; undefined if the server sends none about this news. */
export function draftOf({ from, subject, text, hasStatus }: Shape, news: News): Draft | undefined {
  const [words, title] = [text[news], subject[news]];
  if (words === undefined || title === undefined) return undefined;
  return {
    ...{ from, subject: title, returnPath: '<>', text: words },
    status: hasStatus ? `Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ${ADA}\n${STATUS[news]}` : null,
    ...{ returned: RETURNED, isHtml: false, encoding: '8bit', attachedTo: null },
  };
}

const BANNER =
  'CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender.\n\n';
const DISCLAIMER = `\n\n________________________________\nThis e-mail and any attachments are confidential and may be privileged. If you are not the intended recipient, please notify the sender and delete it. Views expressed are those of the author. ${'The company accepts no liability for its content. '.repeat(4)}`;

/** The Date field of every notice. */
export const SENT = 'Mon, 6 Jul 2026 10:00:05 +0000';

const change = (by: (draft: Draft) => Partial<Draft>) => (draft: Draft) => ({ ...draft, ...by(draft) });

/** Changes that providers, gateways and email clients make to notices in transit. */
export const CHANGES = {
  'without delivery status': change(() => ({ status: null })),
  'without what it returns': change(() => ({ returned: null })),
  'without envelope sender': change(() => ({ returnPath: null })),
  'with another sender': change(() => ({ from: 'Mail Gateway <gateway@filter.example>' })),
  'from no-reply': change(() => ({ from: 'no-reply@provider.example' })),
  'with a tagged subject': change(({ subject }) => ({ subject: `[EXTERNAL] ${subject}` })),
  'with the subject of the email': change(() => ({ subject: 'Hello' })),
  'as HTML': change(() => ({ isHtml: true })),
  'in base64': change(() => ({ encoding: 'base64' })),
  'below a banner': change(({ text }) => ({ text: BANNER + text })),
  'above a disclaimer': change(({ text }) => ({ text: text + DISCLAIMER })),
  'in long lines': change(({ text }) => ({ text: text.replaceAll(/(\S)[ \t]*\n[ \t]*(?=[\w'(])/g, '$1 ') })),
  'attached to the report of a filter': change(({ from, subject }) => ({
    attachedTo: { from, subject, date: SENT, text: 'This message was checked. The original message is attached.' },
  })),
};
export type Change = keyof typeof CHANGES;

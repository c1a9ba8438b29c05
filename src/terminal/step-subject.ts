/** Returns the subject of a step for a table. A follow-up without a subject of its own replies to the email before it. */
export const stepSubject = ({ subject, kind, step_order }: { subject: string | null; kind: string; step_order: number }): string =>
  subject || (kind === 'email' && step_order > 1 ? 'Re: …' : '');

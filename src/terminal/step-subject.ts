/** The subject of a step as a table shows it: a follow-up without one of its own answers the email before it. */
export const stepSubject = ({ subject, kind, step_order }: { subject: string | null; kind: string; step_order: number }): string =>
  subject || (kind === 'email' && step_order > 1 ? 'Re: …' : '');

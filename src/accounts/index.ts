export { type Envelope, type Outcome, type Phase, type SmtpLogin, SmtpSession } from './smtp-session.ts';
export { accountsTrash } from './trash.ts';

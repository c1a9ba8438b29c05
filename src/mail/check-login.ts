import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { type ImapLogin, imapClient } from './imap-client.ts';
import { type LoginFailure, loginProblem } from './login-problem.ts';
import { scrub } from './scrub.ts';
import { type Outcome, type SmtpLogin, SmtpSession } from './smtp-session.ts';

/** Limit for one server, from the first packet to the reply to the login: somebody is waiting. */
export const LOGIN_SECONDS = 15;

/** Connects and logs in to an SMTP server, then disconnects. Returns null, or the problem in one line. */
export async function smtpProblem(login: SmtpLogin, seconds = LOGIN_SECONDS): Promise<string | null> {
  const timeout = seconds * SECOND;
  const opening = SmtpSession.open(login, { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout });
  const opened = await beforeDeadline(opening, timeout);
  // A session that opens after the deadline is closed at once.
  if (opened === undefined) void opening.then((late) => late instanceof SmtpSession && late.close());
  if (opened instanceof SmtpSession) {
    opened.close();
    return null;
  }
  return problem(login, 'SMTP', smtpFailure(opened));
}

/** Logs in to an IMAP server and out again. Returns null, or the problem in one line. */
export async function imapProblem(login: ImapLogin, seconds = LOGIN_SECONDS): Promise<string | null> {
  const timeout = seconds * SECOND;
  const client = await imapClient(login, { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout });
  try {
    const connected = await beforeDeadline(
      client.connect().then(() => true),
      timeout,
    );
    if (connected === undefined) return problem(login, 'IMAP', { stage: 'connection', text: 'timeout' });
    await beforeDeadline(client.logout(), timeout);
    return null;
  } catch (error) {
    const { authenticationFailed, responseText } = error as { authenticationFailed?: boolean; responseText?: string };
    return problem(login, 'IMAP', { stage: authenticationFailed ? 'login' : 'connection', text: responseText ?? messageOf(error) });
  } finally {
    client.close();
  }
}

function smtpFailure(outcome: Outcome | undefined): Pick<LoginFailure, 'stage' | 'text'> {
  if (outcome === undefined) return { stage: 'connection', text: 'timeout' };
  const text = 'text' in outcome ? outcome.text : '';
  if (outcome.kind !== 'refused') return { stage: 'connection', text };
  return { stage: outcome.phase === 'auth' ? 'login' : 'server', text };
}

function problem(login: SmtpLogin | ImapLogin, protocol: 'SMTP' | 'IMAP', failure: Pick<LoginFailure, 'stage' | 'text'>): string {
  const { stage, text } = failure;
  return loginProblem({ protocol, server: login, user: login.user, isStartTls: login.requireTLS, stage, text: scrub(text, login) });
}

/**
 * The result of the work, or undefined after the deadline. The libraries' timeouts do not suffice: a server that sends a
 * byte now and then never reaches them.
 */
async function beforeDeadline<Answer>(work: Promise<Answer>, milliseconds: number): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

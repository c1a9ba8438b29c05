import type { ImapFlow } from 'imapflow';
import { SECOND } from '../core/clock.ts';
import { type ImapLogin, imapClient } from './imap-client.ts';
import { type LoginFailure, loginProblem } from './login-problem.ts';
import { absentFolder, listFolders, polledFolders } from './polled-folders.ts';
import { scrub } from './scrub.ts';
import { serverWords } from './server-words.ts';
import { type Outcome, refusedCommand, type SmtpLogin, SmtpSession } from './smtp-session.ts';

/** Limit for one server, from the first packet to the reply to the login. It is short because a user is waiting. */
export const LOGIN_SECONDS = 15;

/** Connects and logs in to an SMTP server, then disconnects. Returns null, or the problem in one line. */
export async function smtpProblem(login: SmtpLogin, seconds = LOGIN_SECONDS): Promise<string | null> {
  const timeout = seconds * SECOND;
  const opening = SmtpSession.open(login, { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout });
  const opened = await beforeDeadline(opening, timeout);
  // Close a session that opens after the deadline.
  if (opened === undefined) void opening.then((late) => late instanceof SmtpSession && late.close());
  if (opened instanceof SmtpSession) {
    opened.close();
    return null;
  }
  return problem(login, 'SMTP', smtpFailure(opened));
}

/** The result of checking a mailbox the way a poll reads it. */
export interface MailboxCheck {
  /** Why INBOX can't be read, in one line; null if it can. */
  problem: string | null;
  /** One line for each folder other than INBOX that is missing or can't be opened. */
  warnings: string[];
}

/**
 * Goes through the steps of a poll: logs in to an IMAP server, opens INBOX and fetches a message, then opens the other polled folders.
 * @param folders the extra folders configured for the account
 */
export async function checkMailbox(login: ImapLogin, folders: readonly string[], seconds = LOGIN_SECONDS): Promise<MailboxCheck> {
  const timeout = seconds * SECOND;
  const client = await imapClient(login, { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout });
  const refused = (failure: Pick<LoginFailure, 'stage' | 'text'>) => ({ problem: problem(login, 'IMAP', failure), warnings: [] });
  let stage: LoginFailure['stage'] = 'connection';
  try {
    const work = async () => {
      await client.connect();
      stage = 'mailbox';
      const { exists } = await client.mailboxOpen('INBOX', { readOnly: true });
      if (exists > 0) await requireMessage(client, exists);
      return openOtherFolders(client, folders);
    };
    const warnings = await beforeDeadline(work(), timeout);
    if (warnings === undefined) return refused({ stage, text: stage === 'connection' ? 'timeout' : 'no answer in time' });
    await beforeDeadline(client.logout(), timeout);
    return { problem: null, warnings };
  } catch (error) {
    const { authenticationFailed } = error as { authenticationFailed?: boolean };
    const text = serverWords(error);
    if (stage === 'connection' && text.startsWith('BYE ')) stage = 'server';
    return refused({ stage: authenticationFailed ? 'login' : stage, text });
  } finally {
    client.close();
  }
}

/** Throws unless a message of the open folder can be fetched: the newest or, because that one may be damaged, the oldest. */
async function requireMessage(client: ImapFlow, newest: number): Promise<void> {
  const beginning = { uid: true, source: { start: 0, maxLength: 1_024 } };
  try {
    await client.fetchOne(String(newest), beginning);
  } catch (error) {
    if (!client.usable) throw error;
    await client.fetchOne('1', beginning);
  }
}

async function openOtherFolders(client: ImapFlow, folders: readonly string[]): Promise<string[]> {
  const warnings: string[] = [];
  try {
    const { paths, absent } = polledFolders(await listFolders(client), folders);
    warnings.push(...absent.map(absentFolder));
    for (const path of paths)
      await client.mailboxOpen(path, { readOnly: true }).catch((error) => warnings.push(`EXAMINE ${path}: ${serverWords(error)}`));
  } catch (error) {
    warnings.push(`LIST: ${serverWords(error)}`);
  }
  return warnings;
}

function smtpFailure(outcome: Outcome | undefined): Pick<LoginFailure, 'stage' | 'text'> {
  if (outcome === undefined) return { stage: 'connection', text: 'timeout' };
  const text = 'text' in outcome ? outcome.text : '';
  if (outcome.kind !== 'refused') return { stage: 'connection', text };
  return { stage: outcome.phase === 'auth' ? 'login' : 'server', text: refusedCommand(outcome) };
}

function problem(login: SmtpLogin | ImapLogin, protocol: 'SMTP' | 'IMAP', failure: Pick<LoginFailure, 'stage' | 'text'>): string {
  const { stage, text } = failure;
  return loginProblem({ protocol, server: login, user: login.user, isStartTls: login.requireTLS, stage, text: scrub(text, login) });
}

/**
 * Returns the result of the work, or undefined after the deadline. The timeouts of the libraries are not enough: a server that sends a byte
 * now and then never triggers them.
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

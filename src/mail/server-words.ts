import { messageOf, oneLine } from '../core/errors.ts';

/** Fields of errors of imapflow and nodemailer. Their message is often just "Command failed". */
interface ServerError {
  /** imapflow: the tagged response, as text or parsed. nodemailer: all lines of the reply. */
  response?: unknown;
  /** imapflow: NO or BAD, and the text without the code in brackets. */
  responseStatus?: string;
  responseText?: string;
  /** The code in brackets, such as `ALERT` (RFC 5530). */
  serverResponseCode?: string;
  /** imapflow's own code for an error that is not the response to a command. */
  code?: string;
  /**
   * imapflow, if the connection ended: the text of the server's BYE (RFC 9051 §7.1.5). Node's TLS errors use the same field for something
   * else.
   */
  reason?: string;
}

const MAX_WORDS = 2_000;

/** Returns the server's own words on one line, such as `NO [ALERT] web login required`; for any other error, its message. */
export function serverWords(error: unknown): string {
  const { response, responseStatus, responseText, serverResponseCode, code: cause, reason } = (error ?? {}) as ServerError;
  if (typeof response === 'string') return cut(responseStatus === undefined ? response : response.replace(TAG, ''));
  if (typeof reason === 'string' && ENDED.test(cause ?? '')) return cut(`BYE ${reason}`);
  if (responseStatus === undefined && responseText === undefined) return cut(messageOf(error));
  const code = serverResponseCode ?? parsedCode(response);
  return cut([responseStatus, code === undefined ? undefined : `[${code}]`, responseText].filter(Boolean).join(' '));
}

/** Returns the code in brackets of a parsed response. For some commands imapflow does not extract it. */
function parsedCode(response: unknown): string | undefined {
  const value = (response as { attributes?: { section?: { value?: unknown }[] }[] } | undefined)?.attributes?.[0]?.section?.[0]?.value;
  return typeof value === 'string' ? value : undefined;
}

/** The tag of a command at the start of an IMAP response. */
const TAG = /^\S+ (?=(?:NO|BAD)\b)/;

/** imapflow's codes for a connection that ended during a command or before the login. */
const ENDED = /^(NoConnection|ClosedAfterConnect(TLS|Text))$/;

const cut = (text: string): string => oneLine(text).slice(0, MAX_WORDS);

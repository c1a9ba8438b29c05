import { messageOf, oneLine } from '../core/errors.ts';

/** Fields of the errors of imapflow and nodemailer, whose message is often only "Command failed". */
interface ServerError {
  /** imapflow: the tagged response, as text or parsed. nodemailer: all lines of the reply. */
  response?: unknown;
  /** imapflow: NO or BAD, and the text without its code in brackets. */
  responseStatus?: string;
  responseText?: string;
  /** The code in brackets, such as `ALERT` (RFC 5530). */
  serverResponseCode?: string;
  /** imapflow's own code, of an error that no command was answered with. */
  code?: string;
  /** imapflow, where the connection ended: the text of the server's BYE (RFC 9051 §7.1.5). Node's TLS errors have another one. */
  reason?: string;
}

const MAX_WORDS = 2_000;

/** Returns a server's own words in one line, such as `NO [ALERT] web login required`; of another error, its message. */
export function serverWords(error: unknown): string {
  const { response, responseStatus, responseText, serverResponseCode, code: cause, reason } = (error ?? {}) as ServerError;
  if (typeof response === 'string') return cut(responseStatus === undefined ? response : response.replace(TAG, ''));
  if (typeof reason === 'string' && ENDED.test(cause ?? '')) return cut(`BYE ${reason}`);
  if (responseStatus === undefined && responseText === undefined) return cut(messageOf(error));
  const code = serverResponseCode ?? parsedCode(response);
  return cut([responseStatus, code === undefined ? undefined : `[${code}]`, responseText].filter(Boolean).join(' '));
}

/** The code in brackets of a parsed response: imapflow names it for some commands only. */
function parsedCode(response: unknown): string | undefined {
  const value = (response as { attributes?: { section?: { value?: unknown }[] }[] } | undefined)?.attributes?.[0]?.section?.[0]?.value;
  return typeof value === 'string' ? value : undefined;
}

/** The tag of a command, before the words of an IMAP server. */
const TAG = /^\S+ (?=(?:NO|BAD)\b)/;

/** imapflow's codes of a connection that ended: with a command under way, or before the login. */
const ENDED = /^(NoConnection|ClosedAfterConnect(TLS|Text))$/;

const cut = (text: string): string => oneLine(text).slice(0, MAX_WORDS);

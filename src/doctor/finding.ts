/** What one check found, in one line, with what to do where something is wrong. */
export interface Finding {
  /** What was looked at, for example `database` or `DNS example.com SPF`. */
  check: string;
  /** `warn`: it works, and could work better. `fail`: something does not work. */
  result: 'ok' | 'warn' | 'fail';
  message: string;
}

export const ok = (check: string, message: string): Finding => finding(check, 'ok', message);
export const warn = (check: string, message: string): Finding => finding(check, 'warn', message);
export const fail = (check: string, message: string): Finding => finding(check, 'fail', message);

/** Messages quote servers and DNS records of others: neither line breaks nor terminal sequences of theirs come through. */
function finding(check: string, result: Finding['result'], message: string): Finding {
  return { check, result, message: message.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() };
}

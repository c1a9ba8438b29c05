/** The result of one check, with the remedy if something is wrong. */
export interface Finding {
  /** The subject of the check, for example `database` or `DNS example.com SPF`. */
  check: string;
  /** `warn`: it works, but not as well as it could. `fail`: it does not work. */
  result: 'ok' | 'warn' | 'fail';
  message: string;
}

export const ok = (check: string, message: string): Finding => finding(check, 'ok', message);
export const warn = (check: string, message: string): Finding => finding(check, 'warn', message);
export const fail = (check: string, message: string): Finding => finding(check, 'fail', message);

/** Messages quote servers and DNS records, so line breaks and terminal sequences are removed. */
function finding(check: string, result: Finding['result'], message: string): Finding {
  return { check, result, message: message.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() };
}

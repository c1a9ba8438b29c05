import { oneLine } from '../core/errors.ts';

/** The result of one check, with the remedy if something is wrong. */
export interface Finding {
  /** The subject of the check, for example `database` or `account 3 zoe@example.com spf`. */
  check: string;
  /** `warn`: it works, but not as well as it could. `fail`: it does not work. */
  result: 'ok' | 'warn' | 'fail';
  message: string;
  /** The name of the account that the check is about, with which `check` begins; null for the installation. */
  account: string | null;
}

export const ok = (check: string, message: string, account: string | null = null): Finding => finding(check, 'ok', message, account);
export const warn = (check: string, message: string, account: string | null = null): Finding => finding(check, 'warn', message, account);
export const fail = (check: string, message: string, account: string | null = null): Finding => finding(check, 'fail', message, account);

/** Creates a finding. Removes line breaks and terminal sequences, because messages quote servers and DNS records. */
function finding(check: string, result: Finding['result'], message: string, account: string | null): Finding {
  return { check, result, message: oneLine(message), account };
}

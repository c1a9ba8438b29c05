import { type DkimSetting, dkimRecord } from '../mail/dkim.ts';
import { type Finding, fail, ok } from './finding.ts';
import { askText, type DnsLookups, LOOKUP_SECONDS, unanswered } from './sender-dns.ts';

/** Whether DNS holds the record that an account's DKIM signatures are checked by, with our key. */
export async function checkDkim(account: { id: number; dkim: DkimSetting }, dns: DnsLookups, seconds = LOOKUP_SECONDS): Promise<Finding> {
  const record = dkimRecord(account.dkim);
  const check = `DNS ${record.name} DKIM`;
  const answer = await askText(record.name, /(^|;)\s*p\s*=/i, dns, seconds);
  if (answer.kind === 'unanswered') return unanswered(check, answer.code);
  const remedy = `the record is shown by: outreach account show ${account.id}`;
  if (answer.kind === 'none') return fail(check, `no record, so no signature of account ${account.id} can be checked; ${remedy}`);
  if (answer.rows.length > 1) return fail(check, `several records, of which receivers take any (RFC 6376 §3.6.2.2); ${remedy}`);
  const published = /(?:^|;)\s*p\s*=([^;]*)/i.exec(answer.rows[0] ?? '')?.[1]?.replaceAll(/\s/g, '');
  if (published === '') return fail(check, `the key is revoked; ${remedy}`);
  if (published !== account.dkim.public_key) return fail(check, `another key than the one we sign with; ${remedy}`);
  return ok(check, `the key of account ${account.id}`);
}

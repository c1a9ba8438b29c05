import { type DkimSetting, dkimRecord } from '../mail/dkim.ts';
import { type Finding, fail, ok } from './finding.ts';
import { askText, type DnsLookups, LOOKUP_SECONDS, unanswered } from './sender-dns.ts';

/** Checks that DNS has the account's DKIM record with our key. */
export async function checkDkim(account: { id: number; dkim: DkimSetting }, dns: DnsLookups, seconds = LOOKUP_SECONDS): Promise<Finding> {
  const record = dkimRecord(account.dkim);
  const check = `DNS ${record.name} DKIM`;
  const answer = await askText(record.name, /(^|;)\s*p\s*=/i, dns, seconds);
  if (answer.kind === 'unanswered') return unanswered(check, answer.code);
  const remedy = `to see the record, run: outreach account show ${account.id}`;
  if (answer.kind === 'none') return fail(check, `no record, so receivers can't verify the signatures of account ${account.id}; ${remedy}`);
  if (answer.rows.length > 1) return fail(check, `several records, of which receivers may use any (RFC 6376 §3.6.2.2); ${remedy}`);
  const published = /(?:^|;)\s*p\s*=([^;]*)/i.exec(answer.rows[0] ?? '')?.[1]?.replaceAll(/\s/g, '');
  if (published === '') return fail(check, `the key is revoked; ${remedy}`);
  if (published !== account.dkim.public_key) return fail(check, `the published key is not the one we sign with; ${remedy}`);
  return ok(check, `matches the key of account ${account.id}`);
}

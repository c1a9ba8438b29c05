import { type DkimKey, dkimRecord, SIGNATURE_LIFETIME } from '../mail/dkim.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { askText, type DnsLookups, LOOKUP_SECONDS, unanswered } from './sender-dns.ts';

/** Checks that DNS has the records of an account's DKIM keys, those of former keys too while their signatures are valid. */
export function checkDkim(
  account: { id: number; dkim: readonly DkimKey[] },
  dns: DnsLookups,
  now: Date,
  seconds = LOOKUP_SECONDS,
): Promise<Finding[]> {
  const needed = account.dkim.filter(({ until }) => until === null || Date.parse(until) + SIGNATURE_LIFETIME > now.getTime());
  return Promise.all(needed.map((key) => checkKey(account.id, key, dns, seconds)));
}

async function checkKey(id: number, key: DkimKey, dns: DnsLookups, seconds: number): Promise<Finding> {
  const record = dkimRecord(key);
  const check = `DNS ${record.name} DKIM`;
  const answer = await askText(record.name, /(^|;)\s*p\s*=/i, dns, seconds);
  if (answer.kind === 'unanswered') return unanswered(check, answer.code);
  const remedy = `to see the record, run: outreach account show ${id}`;
  if (record.keep_until !== null && answer.kind === 'none')
    return warn(
      check,
      `the record of a former key is gone, but emails signed with it may be under way until ${record.keep_until.slice(0, 10)}`,
    );
  if (answer.kind === 'none') return fail(check, `no record, so receivers can't verify the signatures of account ${id}; ${remedy}`);
  if (answer.rows.length > 1) return fail(check, `several records, of which receivers may use any (RFC 6376 §3.6.2.2); ${remedy}`);
  const published = /(?:^|;)\s*p\s*=([^;]*)/i.exec(answer.rows[0] ?? '')?.[1]?.replaceAll(/\s/g, '');
  if (published === '') return fail(check, `the key is revoked; ${remedy}`);
  if (published !== key.public_key) return fail(check, `the published key is not the one we sign with; ${remedy}`);
  return ok(check, `matches the key of account ${id}`);
}

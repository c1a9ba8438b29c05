import { domainOf, isEmailAddress } from '../../core/email-address.ts';
import { publicName, type Reception } from '../../mail-domains/index.ts';
import type { Judgement, Verdict } from '../verification.ts';
import { MANY_BOUNCES } from './bounced-domains.ts';
import { kindOfAddress } from './kinds-of-address.ts';

/** The facts about the domain of an address that its verdict depends on. */
export interface DomainFacts {
  /** Null if no name server answered. */
  reception: Reception | null;
  /** Number of its addresses that recently bounced permanently here. */
  bounced: number;
}

/** Judges an address by the checks of Outreach: bad properties come before risky ones. */
export function judge(email: string, { reception, bounced }: DomainFacts): Judgement {
  const say = (verdict: Verdict, reason: string): Judgement => ({ verdict, reason, source: 'outreach' });
  if (!isEmailAddress(email)) return say('bad', 'not an email address');
  const domain = domainOf(email);
  if (publicName(domain) === null) return say('bad', `${domain} is not a domain of the public internet`);
  if (reception === 'no_domain') return say('bad', `the domain ${domain} does not exist`);
  if (reception === 'null_mx') return say('bad', `${domain} accepts no email (null MX, RFC 7505)`);
  if (reception === 'none') return say('bad', `${domain} has neither an MX record nor an address`);
  const kind = kindOfAddress(email);
  if (kind === 'unread') return say('bad', 'nobody reads this mailbox');
  if (kind === 'disposable') return say('risky', `${domain} has disposable addresses`);
  if (kind === 'role') return say('risky', 'a role address, not that of one person');
  if (bounced >= MANY_BOUNCES) return say('risky', `${bounced} addresses at ${domain} bounced in the last 30 days`);
  if (reception === 'address') return say('risky', `${domain} has no MX record, only an address`);
  if (reception === null) return say('unknown', `no name server answered for ${domain}`);
  return say('ok', `${domain} receives email`);
}

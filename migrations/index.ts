import { Access0001 } from './0001-access.ts';
import { Contacts0002 } from './0002-contacts.ts';
import { Accounts0003 } from './0003-accounts.ts';
import { Campaigns0004 } from './0004-campaigns.ts';
import { Sending0005 } from './0005-sending.ts';
import { ContactCounts0006 } from './0006-contact-counts.ts';
import { Search0007 } from './0007-search.ts';
import { EventCounts0008 } from './0008-event-counts.ts';
import { Tracking0010 } from './0010-tracking.ts';
import { Engine0011 } from './0011-engine.ts';
import { Webhooks0013 } from './0013-webhooks.ts';
import { ErasedAddresses0014 } from './0014-erased-addresses.ts';
import { NextDue0015 } from './0015-next-due.ts';
import { AccountTokens0017 } from './0017-account-tokens.ts';
import { LargeTables0018 } from './0018-large-tables.ts';
import { SeenMembers0022 } from './0022-seen-members.ts';
import { IdleLeases0025 } from './0025-idle-leases.ts';
import { CompanyStop0029 } from './0029-company-stop.ts';
import { ZoneLanes0030 } from './0030-zone-lanes.ts';
import { LedgerInPlace0031 } from './0031-ledger-in-place.ts';
import { Proofs0032 } from './0032-proofs.ts';
import { AnsweredEmails0033 } from './0033-answered-emails.ts';

/** Every migration, in the order in which they run. Append only: never change a released one. */
export const migrations = [
  { name: '0001-access', class: Access0001 },
  { name: '0002-contacts', class: Contacts0002 },
  { name: '0003-accounts', class: Accounts0003 },
  { name: '0004-campaigns', class: Campaigns0004 },
  { name: '0005-sending', class: Sending0005 },
  { name: '0006-contact-counts', class: ContactCounts0006 },
  { name: '0007-search', class: Search0007 },
  { name: '0008-event-counts', class: EventCounts0008 },
  { name: '0010-tracking', class: Tracking0010 },
  { name: '0011-engine', class: Engine0011 },
  { name: '0013-webhooks', class: Webhooks0013 },
  { name: '0014-erased-addresses', class: ErasedAddresses0014 },
  { name: '0015-next-due', class: NextDue0015 },
  { name: '0017-account-tokens', class: AccountTokens0017 },
  { name: '0018-large-tables', class: LargeTables0018 },
  { name: '0022-seen-members', class: SeenMembers0022 },
  { name: '0025-idle-leases', class: IdleLeases0025 },
  { name: '0029-company-stop', class: CompanyStop0029 },
  { name: '0030-zone-lanes', class: ZoneLanes0030 },
  { name: '0031-ledger-in-place', class: LedgerInPlace0031 },
  { name: '0032-proofs', class: Proofs0032 },
  { name: '0033-answered-emails', class: AnsweredEmails0033 },
];

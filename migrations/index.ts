import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
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
import { ContentHolds0034 } from './0034-content-holds.ts';
import { OptOutInTheBody0035 } from './0035-opt-out-in-the-body.ts';
import { ConnectionPauses0038 } from './0038-connection-pauses.ts';
import { MinuteLimits0039 } from './0039-minute-limits.ts';
import { WhenUnknown0040 } from './0040-when-unknown.ts';
import { Refusals0041 } from './0041-refusals.ts';
import { DkimKeys0042 } from './0042-dkim-keys.ts';
import { ListId0043 } from './0043-list-id.ts';
import { Members0045 } from './0045-members.ts';
import { KeyExpiry0046 } from './0046-key-expiry.ts';
import { AppendOnlyAudit0047 } from './0047-append-only-audit.ts';
import { Retention0048 } from './0048-retention.ts';
import { ReadingTries0053 } from './0053-reading-tries.ts';
import { ReplyAddressSetters0056 } from './0056-reply-address-setters.ts';
import { BoundCredentials0057 } from './0057-bound-credentials.ts';
import { Imports0061 } from './0061-imports.ts';
import { ReplyCounts0065 } from './0065-reply-counts.ts';
import { EventDayCounts0066 } from './0066-event-day-counts.ts';
import { RotationLeavers0069 } from './0069-rotation-leavers.ts';
import { Replies0072 } from './0072-replies.ts';
import { RedoneEffects0073 } from './0073-redone-effects.ts';
import { Answers0074 } from './0074-answers.ts';
import { SentCopies0075 } from './0075-sent-copies.ts';
import { DailySummaries0078 } from './0078-daily-summaries.ts';
import { ReplyMonths0079 } from './0079-reply-months.ts';
import { SuppressedDomains0080 } from './0080-suppressed-domains.ts';
import { AccountTags0081 } from './0081-account-tags.ts';
import { ReportCounts0084 } from './0084-report-counts.ts';
import { DomainCountsAlone0085 } from './0085-domain-counts-alone.ts';
import { CampaignCopies0088 } from './0088-campaign-copies.ts';
import { Attachments0089 } from './0089-attachments.ts';
import { ReplyAddresses0090 } from './0090-reply-addresses.ts';
import { Calendars0092 } from './0092-calendars.ts';
import { CampaignLimits0093 } from './0093-campaign-limits.ts';
import { DuplicateGuard0094 } from './0094-duplicate-guard.ts';
import { EventOrder0095 } from './0095-event-order.ts';
import { Joining0098 } from './0098-joining.ts';
import { Subsequences0099 } from './0099-subsequences.ts';
import { ProviderMatch0100 } from './0100-provider-match.ts';
import { WaitingForProviders0101 } from './0101-waiting-for-providers.ts';
import { ProviderTotals0102 } from './0102-provider-totals.ts';
import { AwaitedProviders0103 } from './0103-awaited-providers.ts';
import { KeysOfEmails0105 } from './0105-keys-of-emails.ts';
import { ContactBlocks0106 } from './0106-contact-blocks.ts';
import { Spintax0112 } from './0112-spintax.ts';
import { EnrolmentsOfAccounts0113 } from './0113-enrolments-of-accounts.ts';
import { MailboxesOfCampaigns0114 } from './0114-mailboxes-of-campaigns.ts';
import { CreatedBlocks0120 } from './0120-created-blocks.ts';
import { ActiveBlocks0121 } from './0121-active-blocks.ts';
import { DomainsBySize0122 } from './0122-domains-by-size.ts';
import { DomainMonths0123 } from './0123-domain-months.ts';
import { PrivateCounts0124 } from './0124-private-counts.ts';
import { PrivateDomains0125 } from './0125-private-domains.ts';
import { DomainQuarters0126 } from './0126-domain-quarters.ts';
import { HoldKinds0127 } from './0127-hold-kinds.ts';
import { MIGRATION_NAMES } from './names.ts';

const CLASSES: Record<(typeof MIGRATION_NAMES)[number], Constructor<Migration>> = {
  '0001-access': Access0001,
  '0002-contacts': Contacts0002,
  '0003-accounts': Accounts0003,
  '0004-campaigns': Campaigns0004,
  '0005-sending': Sending0005,
  '0006-contact-counts': ContactCounts0006,
  '0007-search': Search0007,
  '0008-event-counts': EventCounts0008,
  '0010-tracking': Tracking0010,
  '0011-engine': Engine0011,
  '0013-webhooks': Webhooks0013,
  '0014-erased-addresses': ErasedAddresses0014,
  '0015-next-due': NextDue0015,
  '0017-account-tokens': AccountTokens0017,
  '0018-large-tables': LargeTables0018,
  '0022-seen-members': SeenMembers0022,
  '0025-idle-leases': IdleLeases0025,
  '0029-company-stop': CompanyStop0029,
  '0030-zone-lanes': ZoneLanes0030,
  '0031-ledger-in-place': LedgerInPlace0031,
  '0032-proofs': Proofs0032,
  '0033-answered-emails': AnsweredEmails0033,
  '0034-content-holds': ContentHolds0034,
  '0035-opt-out-in-the-body': OptOutInTheBody0035,
  '0038-connection-pauses': ConnectionPauses0038,
  '0039-minute-limits': MinuteLimits0039,
  '0040-when-unknown': WhenUnknown0040,
  '0041-refusals': Refusals0041,
  '0042-dkim-keys': DkimKeys0042,
  '0043-list-id': ListId0043,
  '0045-members': Members0045,
  '0046-key-expiry': KeyExpiry0046,
  '0047-append-only-audit': AppendOnlyAudit0047,
  '0048-retention': Retention0048,
  '0053-reading-tries': ReadingTries0053,
  '0056-reply-address-setters': ReplyAddressSetters0056,
  '0057-bound-credentials': BoundCredentials0057,
  '0069-rotation-leavers': RotationLeavers0069,
  '0072-replies': Replies0072,
  '0073-redone-effects': RedoneEffects0073,
  '0074-answers': Answers0074,
  '0084-report-counts': ReportCounts0084,
  '0085-domain-counts-alone': DomainCountsAlone0085,
  '0095-event-order': EventOrder0095,
  '0075-sent-copies': SentCopies0075,
  '0080-suppressed-domains': SuppressedDomains0080,
  '0081-account-tags': AccountTags0081,
  '0061-imports': Imports0061,
  '0092-calendars': Calendars0092,
  '0065-reply-counts': ReplyCounts0065,
  '0088-campaign-copies': CampaignCopies0088,
  '0066-event-day-counts': EventDayCounts0066,
  '0093-campaign-limits': CampaignLimits0093,
  '0094-duplicate-guard': DuplicateGuard0094,
  '0078-daily-summaries': DailySummaries0078,
  '0106-contact-blocks': ContactBlocks0106,
  '0098-joining': Joining0098,
  '0112-spintax': Spintax0112,
  '0100-provider-match': ProviderMatch0100,
  '0101-waiting-for-providers': WaitingForProviders0101,
  '0079-reply-months': ReplyMonths0079,
  '0099-subsequences': Subsequences0099,
  '0102-provider-totals': ProviderTotals0102,
  '0090-reply-addresses': ReplyAddresses0090,
  '0103-awaited-providers': AwaitedProviders0103,
  '0105-keys-of-emails': KeysOfEmails0105,
  '0089-attachments': Attachments0089,
  '0113-enrolments-of-accounts': EnrolmentsOfAccounts0113,
  '0114-mailboxes-of-campaigns': MailboxesOfCampaigns0114,
  '0120-created-blocks': CreatedBlocks0120,
  '0121-active-blocks': ActiveBlocks0121,
  '0122-domains-by-size': DomainsBySize0122,
  '0123-domain-months': DomainMonths0123,
  '0124-private-counts': PrivateCounts0124,
  '0125-private-domains': PrivateDomains0125,
  '0126-domain-quarters': DomainQuarters0126,
  '0127-hold-kinds': HoldKinds0127,
};

/** Every migration, in the order in which they run. */
export const migrations = MIGRATION_NAMES.map((name) => ({ name, class: CLASSES[name] }));

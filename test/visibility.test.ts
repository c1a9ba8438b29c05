import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { expect, it } from 'vitest';

/**
 * The functions and fragments whose statements read or change records of a shared kind without asking who sees them, by file, and why they
 * may. Whatever answers somebody has `visible`, or one of its kin, for the kind.
 */
const WITHOUT_EYES: Readonly<Record<string, string>> = {
  // Of one account, for the daemon: leases, tokens, failures, status.
  'src/accounts/access-token.ts': 'accountsWithIdleTokens read renew takeLease',
  'src/accounts/account-status.ts': 'isAccountActive limitedAccounts pauseEveryAccount publishAccountChange',
  'src/accounts/batch-lease.ts': 'endBatchLease hasBatch keepBatchLease takeBatchLease',
  'src/accounts/connect-account.ts': 'findLive store',
  'src/accounts/credentials.ts': 'readCredentials',
  'src/accounts/ended-workers.ts': 'accountWorkers endAccountLeasesOf',
  'src/accounts/failures.ts': 'countRefusal forgetConnectionFailures forgetFailures recordConnectionFailure',
  'src/accounts/find-accounts.ts': 'accountsOfMailbox accountsOfTenant hasAccountAddress',
  'src/accounts/idle-lease.ts': 'claimWatches keepWatches releaseWatches',
  'src/accounts/health.ts': 'accountsToCheck countHealth lockHealth saveHealth',
  'src/accounts/lock-account.ts': 'lockActive lockConnected',
  'src/accounts/next-batch.ts': 'dueBatches isAnyAccountBusy readBatchWait recordBatch setNextBatch unrecordBatch wakeAccounts',
  'src/accounts/placements.ts': 'accountsToRepeat accountsWithWaiting change forgetSeeds readSeeds',
  'src/accounts/poll-ends.ts': 'endStatement postponePoll',
  'src/accounts/poll-lease.ts': 'claim keepPollLease namedFolders releasePoll takePollLease takeSuspectLease wasPolledSince',
  'src/accounts/promises.ts': 'notePromises wasPromisedSince',
  'src/accounts/reach-limit.ts': 'recordLimitReached',
  'src/accounts/read-account.ts': 'countAccounts countUnreadMailboxes countWaitingAccounts',
  'src/accounts/refused-in-row.ts': 'forgetRefusedInRow noteRefusedInRow',
  'src/accounts/sent-copy.ts': 'noteSentCopyError noteServerFiles readFilingAccount',
  // The daemon acts for everybody: it reads mail, sends what is due, counts and publishes. The doctor works for the operator.
  'src/campaigns/calls/publish.ts': 'publishCallChange',
  // Whoever answers a reply sees its contact: the lock of the reply asks.
  'src/campaigns/content/merge-for-contact.ts': 'mergeForContact',
  'src/campaigns/campaign/publish.ts': 'publishCampaignChange',
  'src/campaigns/enrolments/of-address.ts': 'enrolmentsOfAddress',
  'src/campaigns/enrolments/undo-refusal.ts': 'undoRefusal',
  'src/doctor/accounts.ts': 'listAccounts',
  'src/doctor/contacts.ts': 'checkMailboxes',
  'src/events/publish-events.ts': 'eventMessages',
  'src/events/record.ts': 'located recordEnrolled',
  'src/health/domain-reports.ts': 'keepDomainReport',
  'src/health/facts.ts': 'readFacts',
  'src/health/keep-health.ts': 'announce',
  'src/inbound/match.ts': 'IS_EXPECTED IS_TRACKED candidates emailsById evidenceByConversation idsOf',
  'src/inbound/poll-due.ts': 'isAwaited isWorthReading nextPollOf',
  'src/monitoring/emails-today.ts': 'readEmailsToday',
  'src/replies/publish.ts': 'publishReply',
  // Whoever has the link of a report was shown it by somebody who may see the campaign; of others, the reports on the page ask.
  'src/reports/whole-pages.ts': 'campaignPage readAnswerers',
  'src/reports/shares.ts': 'findSharedReport',
  'src/sending/answers/compose-answer.ts': 'composeAnswer',
  'src/sending/answers/origin.ts': 'originOf',
  'src/sending/answers/send-answers.ts': 'dueAnswers',
  'src/sending/batch/email-source.ts': 'loadContacts loadSteps',
  'src/sending/batch/refusal.ts': 'recordBounce',
  'src/sending/email/claim-limits.ts': 'lockDayLeft usedOn',
  'src/sending/email/claim.ts': 'lockDue nextOf',
  'src/sending/email/continue.ts': 'continueSequences',
  'src/sending/email/email-queue.ts': 'countDueEmails',
  'src/sending/email/permit.ts': 'permitEmails permitTest',
  'src/sending/state/account-state.ts': 'loadSendingAccount',
  'src/sending/state/stop-unusable.ts': 'stopUnusable',
  'src/sending/state/campaign-states.ts': 'loadCampaigns',
  'src/sending/state/waiting.ts': 'waitingIn waitingInKinds waitingInZones',
  // The trash and erasure, which ask for themselves: an admin's work.
  'src/accounts/trash.ts': 'accounts',
  'src/campaigns/campaign/trash.ts': 'campaignsTrash',
  'src/contacts/trash.ts': 'contacts',
  'src/maintenance/erase-person.ts': 'deleteContacts',
  'src/maintenance/person-data.ts': 'findPerson',
  // The ledger of emails is an admin's, who sees all of the workspace.
  'src/outbox/read-outbox.ts': 'listOutbox',
  'src/templates/trash.ts': 'templatesTrash',
  // Called with ids that the caller may see, or with a condition that asks.
  'src/campaigns/campaign/account-pause.ts': 'pauseCampaignsOf pauseEveryCampaign resumeCampaignsOf',
  'src/campaigns/campaign/completion.ts': 'completeCampaigns completeFinishedCampaigns',
  'src/campaigns/campaign/copy-campaign.ts': 'copyCampaignRow',
  'src/campaigns/campaign/lock-campaigns.ts': 'lockCampaigns',
  'src/campaigns/campaign/member-names.ts': 'memberNames',
  'src/campaigns/campaign/read-campaign.ts': 'campaignsWith optOutAddress replyAccountId',
  'src/campaigns/campaign/reopen.ts': 'reopenCampaign',
  'src/campaigns/campaign/sequence.ts': 'isSequenceOf sequenceOf',
  'src/campaigns/campaign/wake.ts': 'wakeAccountOf wakeCampaign wakeSuccessors',
  'src/campaigns/check/campaign-facts.ts': 'loadFacts',
  'src/campaigns/check/follow-warnings.ts': 'followWarnings',
  'src/campaigns/check/left-accounts.ts': 'leftAccounts',
  'src/campaigns/enrolments/advance.ts': 'lockPositions',
  'src/campaigns/enrolments/contact-details.ts': 'getContactDetails',
  'src/campaigns/enrolments/content-hold.ts': 'releaseChangedContent',
  'src/campaigns/enrolments/distribute.ts': 'distributeUnsent',
  'src/campaigns/enrolments/duplicate-guard.ts': 'guardsOf isElsewhere',
  'src/campaigns/enrolments/enrol-into.ts': 'lockForEnrolling',
  'src/campaigns/enrolments/merge-enrolments.ts': 'inSameSequence mergeEnrolments',
  'src/campaigns/enrolments/open-members.ts': 'openMembers',
  'src/campaigns/enrolments/pending-rules.ts': 'rulesOf sourcesOf',
  'src/campaigns/enrolments/provider-match.ts': 'holdForProviders providerMatchOf wantProvidersOf',
  'src/campaigns/enrolments/read-enrolments.ts': 'SCHEDULE_JOINS readEnrolments',
  'src/campaigns/enrolments/rematch.ts': 'rematchContact rematchHeld',
  'src/campaigns/enrolments/reschedule.ts': 'reschedule',
  'src/campaigns/enrolments/stop-company.ts': 'stopCompany',
  'src/campaigns/enrolments/subsequences.ts': 'note',
  'src/campaigns/enrolments/suppress.ts': 'suppressInTx',
  'src/campaigns/enrolments/undo-reply.ts': 'continueEnrolments undoReply',
  'src/campaigns/lifecycle/bounce-rate.ts': 'countBounce',
  'src/campaigns/lifecycle/campaign-lifecycle.ts': 'sendableOf',
  // Whoever may remove an account may do so in campaigns that they don't see.
  'src/campaigns/lifecycle/leave-rotations.ts': 'leaveRotations',
  'src/campaigns/preview/preview-sender.ts': 'previewSender',
  'src/campaigns/rotation/read-rotations.ts': 'members ofGroups requireRotation',
  'src/campaigns/rotation/sending-accounts.ts': 'sendingAccounts',
  'src/campaigns/schedule/next-send-search.ts': 'readSchedules',
  'src/campaigns/states/enrolment.ts': 'sendsFrom',
  'src/contacts/change-suppressions.ts': 'publishSuppression',
  'src/contacts/export/index.ts': 'batches',
  'src/contacts/found-page.ts': 'findContacts',
  'src/contacts/import/merge.ts': 'updateExisting',
  'src/contacts/list-contacts.ts': 'listAll',
  'src/contacts/lists.ts': 'contactCount',
  'src/contacts/read-contact.ts': 'contactNames',
  'src/contacts/search/index.ts': 'selectFound',
  'src/contacts/verify/verify-contacts.ts': 'storeVerdicts',
  'src/contacts/write-contacts.ts': 'changeExisting',
  'src/live/activity.ts': 'accountIdsOf readAccountChanges readEmails',
  'src/live/campaign-lines.ts': 'readCampaignLines',
  'src/live/event-tail.ts': 'EventTail',
  'src/replies/thread.ts': 'readThread',
  'src/reports/answers.ts': 'readAnswers',
  'src/replies/timeline.ts': 'readTimeline',
  'src/reports/rows-by.ts': 'rowsByAccountOrTime',
  'src/reports/tracked.ts': 'readTracked',
  'src/reports/workspace-report.ts': 'byCampaign',
  'src/sending/forecast/continuing.ts': 'companyDomain loadContinuing',
  'src/sending/forecast/explain-account.ts': 'formerAccountReasons',
  'src/sending/forecast/explain.ts': 'loadFacts',
  'src/sending/forecast/forecast.ts': 'accountsWith withContacts',
  'src/sending/forecast/simulation.ts': 'accountsOf loadEnrolments',
  'src/sending/forecast/unread-mailboxes.ts': 'mailboxWarnings unreadMailboxes',
  'src/sending/test-emails/write-tests.ts': 'campaignParts',
  'src/templates/signature.ts': 'signatureHtml signatureVersion',
  'src/tracking/unsubscribe.ts': 'findProgress maskedEmail',
};

const KINDS = /\b(?:from|join|update)\s+(?:only\s+)?(contacts|campaigns|accounts|templates)\b/gi;
const EYES = /^(visible|isVisible|visibleIds|requireVisible|notHidden|isHidden)$/;

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value) yield value as Node;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

/** The name of a declaration at the top of a file. */
const nameOf = (node: Node): string => {
  const declared = (node.declaration ?? node) as { id?: { name: string }; declarations?: { id: { name: string } }[] };
  return declared.id?.name ?? declared.declarations?.[0]?.id.name ?? '';
};

/** True if the declaration has a statement over records of a kind for which it doesn't ask who sees them. */
function isBlind(declaration: Node): boolean {
  const kinds = new Set<unknown>();
  const seen = new Set<unknown>();
  for (const node of nodesOf(declaration)) {
    if (node.type === 'TemplateElement')
      for (const [, kind] of (node.value as { raw: string }).raw.matchAll(KINDS)) kinds.add(kind?.toLowerCase());
    if (node.type === 'CallExpression' && EYES.test((node.callee as { name?: string }).name ?? ''))
      for (const argument of node.arguments as Node[]) seen.add(argument.value);
  }
  return [...kinds].some((kind) => !seen.has(kind));
}

it('a statement over contacts, campaigns, accounts or templates asks who sees them, or is listed with the reason', () => {
  const blind: Record<string, string> = {};
  for (const file of globSync(['src/**/*.{ts,tsx}', 'commands/**/*.ts']).sort()) {
    const { body } = parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as { body: Node[] };
    const names = body.filter(isBlind).map(nameOf);
    if (names.length > 0) blind[file] = names.sort().join(' ');
  }
  expect(blind).toEqual(WITHOUT_EYES);
});

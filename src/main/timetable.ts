import { pruneAuditLog } from '../access/index.ts';
import { dueBatches } from '../accounts/index.ts';
import { purgeIdempotencyKeys } from '../api/idempotency.ts';
import type { App } from '../app.ts';
import {
  campaignsWithPending,
  completeFinishedCampaigns,
  enrolPending,
  openDueCalls,
  refreshIdleTokens,
  releaseChangedContent,
  rematchHeld,
} from '../campaigns/index.ts';
import { dueImports, pruneImports, runImport } from '../contacts/import-jobs/index.ts';
import { nameServers } from '../core/dns.ts';
import { foldEvents } from '../events/index.ts';
import { checkDueAccounts, outsideWith, pruneDomainReports } from '../health/index.ts';
import { type MailboxPoller, pruneMessages, wasAnswered } from '../inbound/index.ts';
import { roundOf, type Timetable } from '../jobs/index.ts';
import { emailsToAddress } from '../outbox/index.ts';
import { returnReplies } from '../replies/index.ts';
import {
  BatchRunner,
  dueAnswers,
  dueCopies,
  fileSentCopies,
  findAllPlacements,
  recoverOutbox,
  repeatPlacements,
  resumeLimitedAccounts,
  sendAnswers,
} from '../sending/index.ts';
import { sendScheduledEmails } from '../summaries/index.ts';
import { decorateEmail, linkOf, pruneHits, wasFetched } from '../tracking/index.ts';
import { pruneFiles } from '../uploads/files.ts';
import { createPoster, deliverWebhook, dueWebhooks, pruneDeliveries, retireWebhooks } from '../webhooks/index.ts';
import { matchProviders } from './match-providers.ts';

const HOUR_SECONDS = 3_600;

/** Every recurring job of the daemon and its interval. */
export function timetable(app: App, poller: MailboxPoller): Timetable {
  const { tickSeconds } = app.config;
  // These jobs search the whole cluster, so they run at most once a second, however short the setting is.
  const everyTick = Math.max(tickSeconds, 1);
  // A user waits for an import or an enrolment, however long the setting is.
  const whenDue = Math.min(tickSeconds, 1);
  const dns = nameServers(app.config.nameServers);
  const poster = createPoster({ allowPrivate: app.config.webhooksAllowPrivate, network: app.network });
  const batches = new BatchRunner(app, {
    ensurePolled: (accountIds) => poller.ensurePolled(accountIds),
    decorate: decorateEmail,
    linkOf,
  });
  return {
    recurring: [
      {
        name: 'recover outbox',
        everySeconds: 60,
        atStart: true,
        run: (app, signal) => recoverOutbox(app, { wasFetched, wasAnswered }, signal),
      },
      { name: 'open due calls', everySeconds: everyTick, run: openDueCalls },
      { name: 'complete campaigns', everySeconds: everyTick, run: completeFinishedCampaigns },
      { name: 'release changed content', everySeconds: 60, atStart: true, run: releaseChangedContent },
      { name: 'look up email providers', everySeconds: everyTick, run: (app) => matchProviders(app, dns) },
      { name: 'fold events', everySeconds: 10, atStart: true, run: foldEvents },
      { name: 'rematch email providers', everySeconds: 600, atStart: true, run: rematchHeld },
      { name: 'resume limited accounts', everySeconds: 60, atStart: true, run: resumeLimitedAccounts },
      { name: 'keep accounts connected', everySeconds: HOUR_SECONDS, run: refreshIdleTokens },
      {
        name: 'check account health',
        everySeconds: 600,
        atStart: true,
        run: (app) => checkDueAccounts(app, outsideWith(dns)),
      },
      { name: 'find placement tests', everySeconds: 60, run: findAllPlacements },
      {
        name: 'repeat placement tests',
        everySeconds: HOUR_SECONDS,
        run: (app) => repeatPlacements(app, { decorate: decorateEmail, linkOf }),
      },
      { name: 'purge idempotency keys', everySeconds: HOUR_SECONDS, run: purgeIdempotencyKeys },
      { name: 'send scheduled emails', everySeconds: 60, atStart: true, run: sendScheduledEmails },
      { name: 'return replies', everySeconds: 60, atStart: true, run: returnReplies },
      { name: 'retire webhooks', everySeconds: 60, atStart: true, run: retireWebhooks },
      { name: 'prune webhook deliveries', everySeconds: HOUR_SECONDS, run: pruneDeliveries },
      { name: 'prune tracking hits', everySeconds: HOUR_SECONDS, run: pruneHits },
      { name: 'prune inbound messages', everySeconds: HOUR_SECONDS, run: pruneMessages },
      { name: 'prune domain reports', everySeconds: HOUR_SECONDS, run: pruneDomainReports },
      { name: 'prune imports', everySeconds: HOUR_SECONDS, run: pruneImports },
      { name: 'prune files', everySeconds: HOUR_SECONDS, run: pruneFiles },
      { name: 'prune audit log', everySeconds: HOUR_SECONDS, run: pruneAuditLog },
    ],
    perItem: [
      {
        name: 'import contacts',
        everySeconds: whenDue,
        atOnce: 2,
        due: dueImports,
        run: (app, id, draining) => runImport(app, id, draining, emailsToAddress),
      },
      { name: 'enrol contacts', everySeconds: whenDue, atOnce: 2, due: campaignsWithPending, run: enrolPending },
    ],
    rounds: [
      roundOf({
        name: 'poll mailbox',
        places: 200,
        due: (_app, room) => poller.claimDue(room),
        run: (_app, poll, signal) => poller.read(poll, signal),
      }),
      roundOf({ name: 'send batch', places: 200, due: dueBatches, run: (_app, { id }, signal) => batches.run(id, signal) }),
      roundOf({ name: 'send answers', places: 40, due: dueAnswers, run: (app, { id }, signal) => sendAnswers(app, id, signal) }),
      roundOf({ name: 'file sent copies', places: 20, due: dueCopies, run: (app, { id }, signal) => fileSentCopies(app, id, signal) }),
      roundOf({
        name: 'deliver webhook',
        places: 200,
        due: dueWebhooks,
        run: (app, { id }, signal) => deliverWebhook(app, poster, id, signal),
      }),
    ],
  };
}

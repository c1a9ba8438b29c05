import { forgetFailures } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { advanceEnrolments, completeCampaigns } from '../../campaigns/index.ts';
import { WORKER } from '../../core/worker.ts';
import { prepared, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEvents } from '../../events/index.ts';
import type { Outcome } from '../../mail/smtp-session.ts';
import type { ClaimedMail } from './claim.ts';

/** A mail that the server took, with what it said. */
export interface Delivery {
  mail: ClaimedMail;
  subject: string;
  at: Date;
  outcome: Extract<Outcome, { kind: 'accepted' }>;
}

/**
 * Records mails that the server took: ledger, enrolments, events, counters, in one transaction. A row that is no
 * longer ours (our lease ran out and another daemon asked the Sent folder) is left to whoever holds it.
 */
export async function settleDeliveries(app: App, deliveries: readonly Delivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await app.db.txByKey(async (tx) => {
    const rows = deliveries.map(({ mail, subject, at, outcome }) => ({
      id: mail.id,
      attempt: mail.attempt,
      subject,
      at,
      response: outcome.response.slice(0, 2_000),
      provider: outcome.serverMessageId,
    }));
    const settled = await tx.query<{ id: number }>(
      prepared(
        'settle-accepted',
        sql`
      update outbox o set state = 'accepted', response = d.response, provider_message_id = d.provider, subject = d.subject,
        accepted_at = d.at, closed_at = d.at, worker = null, lease_until = null
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (id bigint, attempt int, subject text, at timestamptz, response text, provider text)
      where o.id = d.id and o.attempt = d.attempt and o.state = 'transmitting' and o.worker = ${WORKER}
      returning o.id`,
      ),
    );
    const ours = new Set(settled.map((row) => row.id));
    await moveOn(
      tx,
      app,
      deliveries.filter(({ mail }) => ours.has(mail.id)),
    );
  });
}

/**
 * The effects of accepted mails on everything but their ledger rows. Locks enrolments, then statistics, as everybody does.
 */
export async function moveOn(tx: Tx, app: App, sent: readonly { mail: SentMail; at: Date }[]): Promise<void> {
  if (sent.length === 0) return;
  const touched = await advanceEnrolments(
    tx,
    app,
    sent.map(({ mail, at }) => ({
      enrolmentId: mail.enrolment_id,
      stepOrder: mail.step_order,
      at,
      sentFrom: mail.account_id,
    })),
  );
  await forgetFailures(
    tx,
    sent.map(({ mail }) => mail.account_id),
  );
  await recordEvents(
    tx,
    sent.map(({ mail, at }) => ({
      workspaceId: mail.workspace_id,
      campaignId: mail.campaign_id,
      contactId: mail.contact_id,
      enrolmentId: mail.enrolment_id,
      type: 'sent' as const,
      stepOrder: mail.step_order,
      at,
    })),
  );
  await completeCampaigns(tx, app, touched);
}

/** What `moveOn` needs of a mail. */
export type SentMail = Pick<ClaimedMail, 'workspace_id' | 'campaign_id' | 'contact_id' | 'enrolment_id' | 'account_id' | 'step_order'>;

/** Marks a mail whose delivery nobody can know yet; recovery asks the Sent folder. */
export async function settleUncertain(app: App, mail: ClaimedMail, subject: string, text: string): Promise<void> {
  await app.db.query(sql`
    update outbox set state = 'uncertain', response = ${text}, subject = ${subject}, worker = null, lease_until = null
    where id = ${mail.id} and attempt = ${mail.attempt} and state = 'transmitting' and worker = ${WORKER}`);
  app.log.warn({ outbox: mail.id, reason: text }, 'delivery uncertain');
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a permit change its row of the ledger in place. PostgreSQL writes a new entry into every index of a table when a
 * column that any of them names is changed (a "heap-only" update names none, and needs room on the same page). The two
 * indexes of what is open named the state and the lease, which every permit changes; what is open is as well what was
 * never closed. An enrolment's few mails are found by the key (enrolment_id, step_id).
 */
export class LedgerInPlace0031 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop index outbox_open, outbox_campaign_open, outbox_enrolment;
      create index outbox_open on outbox (account_id) where closed_at is null;
      create index outbox_campaign_open on outbox (campaign_id) where closed_at is null;
      alter table outbox set (fillfactor = 80);
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table outbox reset (fillfactor);
      drop index outbox_open, outbox_campaign_open;
      create index outbox_open on outbox (account_id, state, lease_until) where state in ('claimed', 'transmitting', 'uncertain', 'unknown');
      create index outbox_campaign_open on outbox (campaign_id) where state in ('claimed', 'transmitting', 'uncertain');
      create index outbox_enrolment on outbox (enrolment_id, id);
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Makes the update of an outbox row by a permit a heap-only tuple (HOT) update. PostgreSQL adds an entry to every index of a
 * table when a column of any of them changes, or when the page has no room. The two indexes of open emails contained the state
 * and the lease, which every permit changes; an open email is also one that was never closed. The few emails of an enrolment are
 * found by the key (enrolment_id, step_id).
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

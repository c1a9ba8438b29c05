import { Migration } from '@mikro-orm/migrations';

/** Notes in a column of its own that an enrolment waits for its provider; nothing is due while it does. */
export class HoldKinds0127 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table enrolments add column hold_kind text check (hold_kind = 'provider');
      update enrolments set hold_kind = 'provider', due_at = null,
        hold_reason = regexp_replace(hold_reason, ' \\(provider_match\\)$', '')
      where due_at >= '2200-01-01 00:00:00+00';
      update enrolments set before_end = before_end || '{"due_at": null, "hold_kind": "provider"}'
      where before_end->>'due_at' like '2200-01-01%';
      drop index enrolments_without_provider;
      -- Whoever waits for something else than a time is in none of the indexes on due_at.
      alter table enrolments add constraint enrolments_held_or_due check (hold_kind is null or due_at is null);
      create index enrolments_for_provider on enrolments (campaign_id) where hold_kind = 'provider';`);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table enrolments drop constraint enrolments_held_or_due;
      update enrolments set due_at = '2200-01-01 00:00:00+00', hold_reason = hold_reason || ' (provider_match)' where hold_kind = 'provider';
      update enrolments set before_end = before_end || '{"due_at": "2200-01-01T00:00:00+00:00"}' where before_end->>'hold_kind' = 'provider';
      drop index enrolments_for_provider;
      alter table enrolments drop column hold_kind;
      create index enrolments_without_provider on enrolments (campaign_id) where due_at >= '2200-01-01 00:00:00+00';`);
  }
}

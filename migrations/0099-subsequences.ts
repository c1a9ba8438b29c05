import { Migration } from '@mikro-orm/migrations';

/**
 * Lets a campaign enrol its contacts into others: on the label of a reply, or when they reply, open, click or finish. Their enrolments
 * there name the one that they come from.
 */
export class Subsequences0099 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- Of objects with on, label, wait_days and campaign_id; set by null is the operator.
      alter table campaigns add column subsequences jsonb not null default '[]', add column subsequences_set_by integer references users;
      alter table enrolments
        add column source_id integer references enrolments, add column source_reply_id integer, add column source_label text;
      create index enrolments_source on enrolments (source_id) where source_id is not null;
      create index enrolments_source_reply on enrolments (source_reply_id) where source_reply_id is not null;

      -- Whoever joined a list has only that, and others have a cause, an enrolment and perhaps a reply. Null is due at once.
      alter table pending_enrolments
        alter column list_id drop not null,
        add column cause text, add column label text, add column source_id integer references enrolments, add column reply_id integer,
        add column due_at timestamptz,
        add constraint pending_enrolments_cause check (num_nonnulls(list_id, cause) = 1 and num_nonnulls(cause, source_id) <> 1);
      drop index pending_enrolments_campaign;
      create index pending_enrolments_campaign on pending_enrolments (campaign_id, due_at nulls first, id);
      create index pending_enrolments_source on pending_enrolments (source_id) where source_id is not null;
      create index pending_enrolments_reply on pending_enrolments (reply_id) where reply_id is not null;`);
  }

  override down(): void {
    this.addSql(/* sql */ `
      delete from pending_enrolments where list_id is null;
      drop index pending_enrolments_campaign;
      alter table pending_enrolments drop column cause, drop column label, drop column source_id, drop column reply_id, drop column due_at,
        alter column list_id set not null;
      create index pending_enrolments_campaign on pending_enrolments (campaign_id, id);
      alter table enrolments drop column source_id, drop column source_reply_id, drop column source_label;
      alter table campaigns drop column subsequences, drop column subsequences_set_by`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Notes with an enrolment which reply ended or held it and how it stood before, and with a suppression the replies that it holds for
 * alone, so that a person's correction of a reply can redo its effect.
 */
export class RedoneEffects0073 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table enrolments add column ended_by integer references replies, add column before_end jsonb,
        add column held_by integer references replies, add column before_hold jsonb;
      create index enrolments_ended_by on enrolments (ended_by) where ended_by is not null;
      -- Null for one that somebody else asked for too.
      alter table suppressions add column reply_ids integer[];
      create index suppressions_replies on suppressions using gin (reply_ids) where reply_ids is not null;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      alter table suppressions drop column reply_ids;
      alter table enrolments drop column ended_by, drop column before_end, drop column held_by, drop column before_hold;
    `);
  }
}

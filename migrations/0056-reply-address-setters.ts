import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps who chose a campaign's reply address: answers are read from a connected mailbox there only while that user may see the
 * account. Null is the operator. Known from the audit log, or else the campaign's creator.
 */
export class ReplyAddressSetters0056 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table campaigns add column reply_to_set_by integer references users;
      update campaigns c set reply_to_set_by = chosen.user_id
      from campaigns r left join lateral (
        select l.id, l.user_id from audit_log l
        where l.resource_type = 'campaign' and l.resource_id = r.id and l.changes ? 'reply_to' order by l.id desc limit 1
      ) l on true, lateral (select case when l.id is null then r.created_by else l.user_id end as user_id) chosen
      where r.id = c.id and r.reply_to is not null;
    `);
  }

  override down(): void {
    this.addSql('alter table campaigns drop column reply_to_set_by');
  }
}

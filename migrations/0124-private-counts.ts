import { Migration } from '@mikro-orm/migrations';

/**
 * The part of report_counts that is of contacts whom not everyone can see, apart by who can: a report for a member takes away what others'
 * private contacts count, instead of looking every such contact's events up. Written with report_counts, and moved when a contact changes
 * hands.
 */
export class PrivateCounts0124 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table private_counts (like report_counts including defaults) with (fillfactor = 50);
      alter table private_counts
        -- As in campaign_counts, but never 0, and deleted contacts count as before: a user's id that creator, -1 only admins.
        add column audience integer not null,
        add primary key (campaign_id, day, step_order, variant, account_id, audience);

      -- Before contacts_counts_moved, by the order of the names: enrolments are locked before statistics. Whoever logs an event or marks an
      -- email has locked its enrolment in an earlier statement, so either sees the contact as it is now, or is seen here.
      ${MOVING}
      create trigger contacts_audience_moved after update of is_shared_to_all, created_by on contacts
        for each row when (contact_audience(null, old.is_shared_to_all, old.created_by)
          is distinct from contact_audience(null, new.is_shared_to_all, new.created_by))
        execute function move_private_counts();

      do $$ begin
        insert into private_counts (${CELL}, audience, ${NAMES})
        select ${CELL}, contact_audience(null, k.is_shared_to_all, k.created_by), ${SUMS}
        from (${happenings('e.contact_id in (select p.id from contacts p where not p.is_shared_to_all)')}) h join contacts k on k.id = h.contact_id
        group by ${CELL}, 6;
      end $$;
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop trigger contacts_audience_moved on contacts;
      drop function move_private_counts;
      drop table private_counts;
    `);
  }
}

export const CELL = 'campaign_id, day, step_order, variant, account_id';

/** As src/events/measures.ts has them. */
export const COUNTED = {
  sent: `type = 'sent'`,
  returned: `type = 'bounced' and is_first_of_email and was_sent`,
  contacts: `type = 'sent' and is_first_of_contact`,
  contacts_returned: `type = 'bounced' and is_first_of_email and was_sent and is_of_first_email`,
  opened: `type = 'opened' and is_first_of_contact`,
  clicked: `type = 'clicked' and is_first_of_contact`,
  replied: `type = 'replied' and is_first_of_contact`,
  auto_replied: `type = 'auto_replied' and is_first_of_contact`,
  bounced: `type = 'bounced' and is_first_of_contact`,
  refused: `type = 'bounced' and is_first_of_contact and not was_sent`,
  failed: `type = 'failed' and is_first_of_contact`,
  unsubscribed: `type = 'unsubscribed' and is_first_of_contact`,
  emails_opened: `type = 'opened' and is_first_of_email`,
  emails_clicked: `type = 'clicked' and is_first_of_email`,
  machine_opened: `type = 'machine_opened'`,
  machine_clicked: `type = 'machine_clicked'`,
};
const MEASURES = Object.keys(COUNTED);
const NAMES = MEASURES.join(', ');
const SUMS = MEASURES.map((name) => `sum(${name})`).join(', ');
const SIGNED_SUMS = MEASURES.map((name) => `sum(${name} * side.sign)`).join(', ');
const ADDED = MEASURES.map((name) => `${name} = r.${name} + excluded.${name}`).join(', ');

/** Both sides of a contact that changes hands: its counts are taken away from the first, and added to the other. */
export const SIDES = `
  (values
    (contact_audience(null, old.is_shared_to_all, old.created_by), -1),
    (contact_audience(null, new.is_shared_to_all, new.created_by), 1)) side (audience, sign)`;

/** Locks what the counters of contact `new` are written under. */
export const LOCKING = `
  perform from enrolments e where e.contact_id = new.id order by e.id for no key update;
  perform from campaign_stats s where s.campaign_id in (select e.campaign_id from enrolments e where e.contact_id = new.id)
    order by s.campaign_id for no key update;`;

/** Adds to the counters of private contacts what those rows count for each side. */
export const moveCells = (rows: string): string => `
  insert into private_counts as r (${CELL}, audience, ${NAMES})
  select ${CELL}, side.audience, ${SIGNED_SUMS} from ${rows} h cross join ${SIDES} where side.audience <> 0
  group by ${CELL}, side.audience order by ${CELL}, side.audience
  on conflict (${CELL}, audience) do update set ${ADDED}`;

export const MOVING = `
  create or replace function move_private_counts() returns trigger language plpgsql as $$
  begin
    ${LOCKING}
    ${moveCells(`(${happenings('e.contact_id = new.id')})`)};
    return null;
  end $$;`;

/** Selects what some enrolments `e` count, as src/events/happenings.ts has it. */
export function happenings(of: string): string {
  const measured = Object.entries(COUNTED).map(([name, condition]) => `(${condition})::int as ${name}`);
  return `
    select ${CELL}, contact_id, domain, ${measured.join(', ')} from (
      select v.contact_id, v.domain, v.campaign_id, v.type, v.step_order, v.variant, v.account_id,
        coalesce(v.day, min(v.own_day) filter (where v.type = 'sent') over email, v.own_day) as day,
        v.id = min(v.id) over (partition by v.enrolment_id, v.type) as is_first_of_contact,
        v.id = min(v.id) over (partition by v.enrolment_id, v.type, v.step_order) as is_first_of_email,
        coalesce(min(v.id) filter (where v.type = 'sent') over email < v.id, false) as was_sent,
        min(v.id) filter (where v.type = 'sent') over email = min(v.id) filter (where v.type = 'sent') over contact as is_of_first_email
      from (
        select l.id, l.contact_id, l.campaign_id, l.enrolment_id, l.type, l.step_order, l.day,
          coalesce(l.domain, (select lower(split_part(a.email, '@', -1)) from contacts a where a.id = l.contact_id)) as domain,
          coalesce(l.day, day_in_zone(l.at, c.timezone)) as own_day,
          coalesce(l.variant, e.variant, '') as variant, coalesce(l.account_id, e.account_id, c.account_id) as account_id
        from enrolments e join events l on l.enrolment_id = e.id and l.type <> 'enrolled' join campaigns c on c.id = l.campaign_id
        where ${of}
      ) v
      window email as (partition by v.enrolment_id, v.step_order), contact as (partition by v.enrolment_id)
      union all
      select e.contact_id, m.domain, m.campaign_id, m.mark, m.step_order, m.variant, m.account_id, m.day,
        m.id = min(m.id) over (partition by m.enrolment_id, m.mark), true, true, false
      from email_marks m join enrolments e on e.id = m.enrolment_id where ${of}
    ) happened`;
}

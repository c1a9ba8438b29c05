import { Migration } from '@mikro-orm/migrations';

/**
 * Exact totals of the list of replies, kept in the transaction that changes a reply or who sees its contact. Counting a million replies
 * took up to a second.
 */
export class ReplyCounts0065 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table reply_counts (
        campaign_id integer not null references campaigns,
        kind text not null,
        -- As in campaign_counts: 0 everyone, a user's id that creator, -1 only admins. Shares are counted in addition.
        audience integer not null,
        is_read boolean not null,
        account_id integer not null references accounts,
        -- Empty without one, and 0 for nobody.
        label text not null,
        assigned_to integer not null,
        count bigint not null,
        primary key (campaign_id, kind, audience, is_read, account_id, label, assigned_to)
      );

      -- Adds replies of one contact, given as rows of this table, to the counts of those who see it; with a sign of -1 takes them away.
      create function count_reply(reply replies, sign integer) returns void language plpgsql as $$
      begin
        insert into reply_counts as n (campaign_id, kind, audience, is_read, account_id, label, assigned_to, count)
        select reply.campaign_id, reply.kind, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by), reply.is_read, reply.account_id,
          coalesce(reply.label, ''), coalesce(reply.assigned_to, 0), sign
        from contacts k where k.id = reply.contact_id and k.deleted_at is null
        on conflict (campaign_id, kind, audience, is_read, account_id, label, assigned_to) do update set count = n.count + excluded.count;
      end $$;

      -- Runs before the commit, when everything else is locked that the transaction locks: enrolments come before statistics. The
      -- campaign's statistics row is the lock, as for campaign_counts: a contact that is hidden at the same moment is seen so here,
      -- or its own trigger sees the reply.
      create function count_replies() returns trigger language plpgsql as $$
      begin
        perform from campaign_stats s where s.campaign_id in (old.campaign_id, new.campaign_id) order by s.campaign_id for no key update;
        if tg_op <> 'INSERT' then perform count_reply(old, -1); end if;
        if tg_op <> 'DELETE' then perform count_reply(new, 1); end if;
        return null;
      end $$;
      create constraint trigger replies_counted after insert or delete on replies
        deferrable initially deferred for each row execute function count_replies();
      create constraint trigger replies_recounted after update of campaign_id, contact_id, account_id, kind, is_read, label, assigned_to on replies
        deferrable initially deferred for each row
        when ((old.campaign_id, old.contact_id, old.account_id, old.kind, old.is_read, old.label, old.assigned_to)
          is distinct from (new.campaign_id, new.contact_id, new.account_id, new.kind, new.is_read, new.label, new.assigned_to))
        execute function count_replies();

      -- What the transaction has done to replies so far is counted for those who saw their contact then.
      create function settle_reply_counts() returns trigger language plpgsql as $$
      begin
        set constraints replies_counted, replies_recounted immediate;
        set constraints replies_counted, replies_recounted deferred;
        return new;
      end $$;
      create trigger contacts_reply_counts_settled before update of deleted_at, is_shared_to_all, created_by on contacts
        for each row when (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by)
          is distinct from contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by))
        execute function settle_reply_counts();

      -- A contact that is shared, made private, deleted or restored takes its replies along.
      create function move_reply_counts() returns trigger language plpgsql as $$
      begin
        perform from campaign_stats s where s.campaign_id in (select r.campaign_id from replies r where r.contact_id = new.id)
          order by s.campaign_id for no key update;
        insert into reply_counts as n (campaign_id, kind, audience, is_read, account_id, label, assigned_to, count)
        select r.campaign_id, r.kind, side.audience, r.is_read, r.account_id, coalesce(r.label, ''), coalesce(r.assigned_to, 0), sum(side.sign)
        from replies r
        cross join (values
          (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by), -1),
          (contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by), 1)) side (audience, sign)
        where r.contact_id = new.id and side.audience is not null
        group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
        on conflict (campaign_id, kind, audience, is_read, account_id, label, assigned_to) do update set count = n.count + excluded.count;
        return null;
      end $$;
      create trigger contacts_reply_counts_moved after update of deleted_at, is_shared_to_all, created_by on contacts
        for each row when (contact_audience(old.deleted_at, old.is_shared_to_all, old.created_by)
          is distinct from contact_audience(new.deleted_at, new.is_shared_to_all, new.created_by))
        execute function move_reply_counts();

      insert into reply_counts (campaign_id, kind, audience, is_read, account_id, label, assigned_to, count)
      select r.campaign_id, r.kind, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by), r.is_read, r.account_id,
        coalesce(r.label, ''), coalesce(r.assigned_to, 0), count(*)
      from replies r join contacts k on k.id = r.contact_id and k.deleted_at is null
      group by 1, 2, 3, 4, 5, 6, 7;
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger contacts_reply_counts_moved on contacts;
      drop trigger contacts_reply_counts_settled on contacts;
      drop trigger replies_counted on replies;
      drop trigger replies_recounted on replies;
      drop function move_reply_counts, settle_reply_counts, count_replies, count_reply;
      drop table reply_counts;
    `);
  }
}

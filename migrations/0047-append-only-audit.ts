import { Migration } from '@mikro-orm/migrations';

/**
 * Protects the audit log against changes. Two kinds are asked for by law and by the settings, and each has to be announced in its
 * transaction: an erasure clears what an entry says of a person, and retention deletes entries.
 */
export class AppendOnlyAudit0047 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create function audit_log_refuse() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and current_setting('outreach.audit_change', true) = 'erasure'
          and (new.id, new.workspace_id, new.actor, new.user_id, new.api_key_id, new.action, new.resource_type, new.resource_id, new.at)
            is not distinct from
            (old.id, old.workspace_id, old.actor, old.user_id, old.api_key_id, old.action, old.resource_type, old.resource_id, old.at)
        then return new; end if;
        if tg_op = 'DELETE' and current_setting('outreach.audit_change', true) = 'retention' then return old; end if;
        raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
      end $$;
      create trigger audit_log_append_only before update or delete on audit_log for each row execute function audit_log_refuse();
      create trigger audit_log_never_truncated before truncate on audit_log for each statement execute function audit_log_refuse();
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop trigger audit_log_append_only on audit_log;
      drop trigger audit_log_never_truncated on audit_log;
      drop function audit_log_refuse();
    `);
  }
}

import { audit, daemon } from '../access/index.ts';
import { type KeptCheck, type KeptHealth, lockHealth, saveHealth } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { publish } from '../webhooks/index.ts';
import { type Check, wordOf } from './check.ts';

/**
 * Stores the checks of an account. If its health has changed, also writes an audit entry and a webhook message in the same transaction, and
 * logs it after the commit.
 */
export async function keepHealth(tx: Tx, app: App, id: number, fresh: FreshChecks): Promise<void> {
  const account = await lockHealth(tx, id);
  if (account === undefined) return;
  const { workspace_id: workspaceId, health: before } = account;
  const health = merged(before, fresh, formatTimestamp(app.clock.now()));
  await saveHealth(tx, id, health);
  // Announce nothing if the first check of an account is good.
  if ((before?.word ?? 'good') !== health.word) await announce(tx, app, { id, workspaceId }, before?.word ?? null, health);
}

interface FreshChecks {
  checks: readonly Check[];
  /** The time at which block lists were queried, if it was earlier; null if it was now. */
  listsAskedAt: string | null;
}

/**
 * Merges the new checks with the stored ones and sets since when each is in its state. If a server did not answer, the stored result stays.
 */
function merged(before: KeptHealth | null, { checks, listsAskedAt }: FreshChecks, now: string): KeptHealth {
  const known = new Map(before?.checks.map((check) => [check.check, check]));
  const kept = checks.map((check): KeptCheck => {
    const earlier = known.get(check.check);
    if (check.state === 'unanswered') return earlier ?? { ...check, state: 'unknown', since: now };
    return { ...check, state: check.state, since: earlier?.state === check.state ? earlier.since : now };
  });
  const word = wordOf(kept);
  return { word, since: before?.word === word ? before.since : now, checked_at: now, lists_asked_at: listsAskedAt ?? now, checks: kept };
}

async function announce(
  tx: Tx,
  app: App,
  { id, workspaceId }: { id: number; workspaceId: number },
  before: KeptHealth['word'] | null,
  { word, checks }: KeptHealth,
): Promise<void> {
  const problems = checks.filter(({ state }) => state === 'watch' || state === 'stop');
  const changed = { health: word, previous_health: before, problems };
  await audit(tx, daemon(workspaceId), app.clock.now(), {
    action: 'account.change_health',
    resourceType: 'account',
    resourceId: id,
    changes: { health: [before, word], problems: problems.map(({ check }) => check) },
  });
  await publish(
    tx,
    sql`
    select a.workspace_id, 'account.health_changed'::text as type, null::bigint as event_id, null::int as campaign_id, null::int as contact_id,
      a.id as account_id, jsonb_build_object('account', jsonb_build_object('id', a.id, 'email', a.email) || ${JSON.stringify(changed)}::jsonb) as data,
      null::text as reply_body, ${app.clock.now()}::timestamptz as at
    from accounts a where a.id = ${id}`,
  );
  const line = { account: id, health: word, checks: problems.map(({ check }) => check) };
  tx.afterCommit(async () => app.log[word === 'good' ? 'info' : 'warn'](line, 'health of an account changed'));
}

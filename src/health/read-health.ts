import type { Caller } from '../access/index.ts';
import { type KeptCheck, type KeptHealth, readHealth } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { CHECKS, type CheckName } from './check.ts';

/** The health of an account in the API. Times are UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface AccountHealth {
  account_id: number;
  email: string;
  /** Null before the first check. */
  health: KeptHealth['word'] | null;
  since: string | null;
  checked_at: string | null;
  /** Problems first. */
  checks: (KeptCheck & { why: string })[];
}

const ORDER: readonly KeptCheck['state'][] = ['stop', 'watch', 'good', 'unknown'];

function toHealth(id: number, email: string, kept: KeptHealth | null): AccountHealth {
  const checks = (kept?.checks ?? []).toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  return {
    account_id: id,
    email,
    health: kept?.word ?? null,
    since: kept?.since ?? null,
    checked_at: kept?.checked_at ?? null,
    checks: checks.map((check) => ({ ...check, why: CHECKS[check.check as CheckName] })),
  };
}

/** Returns the health of an account that the caller may see, from its last check. Throws `not_found`. */
export async function getHealth(app: App, caller: Caller, id: number): Promise<AccountHealth> {
  const { email, health } = await readHealth(app.db, caller, id);
  return toHealth(id, email, health);
}

import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';

/** An email as the database knows it. */
export interface LedgerEmail {
  id: number;
  recipient: string;
  step_order: number;
  state: string;
}

/** Reads all emails. One that was put back, and whose sequence has ended meanwhile, is `withdrawn`. */
export const readLedger = (app: App): Promise<LedgerEmail[]> =>
  app.db.query<LedgerEmail>(sql`
    select o.id, o.recipient, o.step_order, case when o.state = 'retry' and e.status <> 'active' then 'withdrawn' else o.state end as state
    from outbox o join enrolments e on e.id = o.enrolment_id order by o.id`);

/** An email by recipient and step; one that a sink took, or one of the ledger. */
export const emailKey = (recipient: string, step: number): string => `${recipient} ${step}`;

/** What became of every email, by what the mail servers hold and what the ledger says. */
export interface Verdict {
  sent: number;
  unknown: number;
  /** Emails of unknown delivery that a server does hold. */
  unknownArrived: number;
  /** Emails that the servers hold more than once. */
  doubled: string[];
  /** Emails that were accepted as the ledger has it, and that no server holds. */
  lost: string[];
  /** Emails that a server holds, and that are neither accepted nor of unknown delivery in the ledger. */
  unexplained: string[];
  /** Emails that are neither sent, withdrawn nor known to be uncertain. */
  open: string[];
}

/** Holds the ledger against the servers. @param copies keys of all emails that a server took, one for each copy */
export function judge(copies: Iterable<string>, ledger: readonly LedgerEmail[]): Verdict {
  const counts = new Map<string, number>();
  for (const key of copies) counts.set(key, (counts.get(key) ?? 0) + 1);
  const states = new Map(ledger.map((email) => [emailKey(email.recipient, email.step_order), email.state]));
  const inState = (state: string) => [...states].filter(([, one]) => one === state).map(([key]) => key);
  const [sent, unknown] = [inState('accepted'), inState('unknown')];
  const settled = new Set([...sent, ...unknown]);
  return {
    sent: sent.length,
    unknown: unknown.length,
    unknownArrived: unknown.filter((key) => counts.has(key)).length,
    doubled: [...counts].filter(([, count]) => count > 1).map(([key]) => key),
    lost: sent.filter((key) => !counts.has(key)),
    unexplained: [...counts.keys()].filter((key) => !settled.has(key)),
    open: [...states].filter(([key, state]) => !settled.has(key) && state !== 'withdrawn').map(([key]) => key),
  };
}

import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';

/** An email as the database has it. */
export interface LedgerEmail {
  id: number;
  recipient: string;
  step_order: number;
  state: string;
}

/** Reads all emails. An email that was put back and whose sequence has since ended is `withdrawn`. */
export const readLedger = (app: App): Promise<LedgerEmail[]> =>
  app.db.query<LedgerEmail>(sql`
    select o.id, o.recipient, o.step_order, case when o.state = 'retry' and e.status <> 'active' then 'withdrawn' else o.state end as state
    from outbox o join enrolments e on e.id = o.enrolment_id order by o.id`);

/** Returns the key of an email, by recipient and step, in a sink or in the ledger. */
export const emailKey = (recipient: string, step: number): string => `${recipient} ${step}`;

/** The fate of every email, by the contents of the mail servers and of the ledger. */
export interface Verdict {
  sent: number;
  unknown: number;
  /** Emails of unknown delivery that a server has received. */
  unknownArrived: number;
  /** Emails that the servers have received more than once. */
  doubled: string[];
  /** Emails that were accepted according to the ledger, but that no server has received. */
  lost: string[];
  /** Emails that a server has received, but that are neither accepted nor of unknown delivery in the ledger. */
  unexplained: string[];
  /** Emails that are neither sent, withdrawn nor known to be uncertain. */
  open: string[];
}

/** Compares the ledger with the servers. @param copies keys of all emails that a server accepted, one for each copy */
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

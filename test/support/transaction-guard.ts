import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';

/** Node's names for starting a connection, a DNS query, a process and a thread. */
const OUTSIDE = ['TCPWRAP', 'PIPEWRAP', 'GETADDRINFOREQWRAP', 'QUERYWRAP', 'PROCESSWRAP', 'WORKER'];

interface Traced {
  isOver?: boolean;
}

const transaction = new AsyncLocalStorage<Traced>();
const transactions = tracingChannel<Traced>('outreach:transaction');
let found: Error[] = [];

transactions.start.bindStore(transaction);
// Work that a transaction defers inherits its context.
transactions.asyncEnd.subscribe((traced) => {
  (traced as Traced).isOver = true;
});
createHook({
  init(_id, type) {
    const traced = transaction.getStore();
    if (!OUTSIDE.includes(type) || traced === undefined || traced.isOver) return;
    const error = new Error(`a transaction reaches outside the database (${type})`);
    // The connections of the pools.
    if (!error.stack?.includes('/node_modules/pg/')) found.push(error);
  },
  // There are many promises, and none of them reaches outside.
  trackPromises: false,
}).enable();

/**
 * Throws if a transaction has reached outside the database since the last call: it would hold its locks for as long as an outside server
 * takes.
 */
export function refuseTransactionsReachingOutside(): void {
  const errors = found;
  found = [];
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ stack }) => stack).join('\n\n'));
}

/** Runs work that is not part of a transaction which a test holds open. */
export const outsideTransaction = <Result>(work: () => Result): Result => transaction.exit(work);

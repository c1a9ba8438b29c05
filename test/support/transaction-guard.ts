import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';

/** Node's names for a connection, a DNS query, a process and a thread that are started. */
const OUTSIDE = ['TCPWRAP', 'PIPEWRAP', 'GETADDRINFOREQWRAP', 'QUERYWRAP', 'PROCESSWRAP', 'WORKER'];

interface Traced {
  isOver?: boolean;
}

const transaction = new AsyncLocalStorage<Traced>();
const transactions = tracingChannel<Traced>('outreach:transaction');
let found: Error[] = [];

transactions.start.bindStore(transaction);
// What a transaction leaves to be done later inherits its context.
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
  // Promises are many, and none of them reaches anything.
  trackPromises: false,
}).enable();

/** Throws if a transaction reached outside the database since the last call: it would hold its locks as long as a stranger likes. */
export function refuseTransactionsReachingOutside(): void {
  const errors = found;
  found = [];
  if (errors.length > 0) throw new AggregateError(errors, errors.map(({ stack }) => stack).join('\n\n'));
}

/** Runs what others do while a test holds a transaction open. */
export const outsideTransaction = <Result>(work: () => Result): Result => transaction.exit(work);

import { once } from 'node:events';
import net from 'node:net';
import { expect, it } from 'vitest';
import { sql } from '../../src/db/statement.ts';
import { afterFile } from '../support/after-file.ts';
import { testInstallation } from '../support/database.ts';
import { refuseTransactionsReachingOutside } from '../support/transaction-guard.ts';

const { app } = await testInstallation();
const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
await once(server, 'listening');
afterFile(() => server.close());

const visit = async () => {
  const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1').resume();
  await once(socket, 'close');
};

it('finds a transaction that reaches outside the database', async () => {
  await app.db.tx(async (tx) => {
    await tx.query(sql`select 1`);
    await visit();
  });
  expect(refuseTransactionsReachingOutside).toThrow(/TCPWRAP[\s\S]*transaction-guard\.db\.test\.ts/);
});

it('finds none before and after a transaction, in what it leaves to be done later, and no connection to the database', async () => {
  await visit();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const later = await app.db.tx(async () => ({ done: begun.then(visit) }));
  begin();
  await later.done;
  await app.db.tx(async (tx) => {
    await Promise.all(Array.from({ length: 5 }, () => app.db.query(sql`select pg_sleep(0.01)`)));
    tx.afterCommit(visit);
  });
  expect(refuseTransactionsReachingOutside).not.toThrow();
});

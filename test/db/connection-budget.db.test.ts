import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { connectionBudget } from '../../src/db/connection-budget.ts';
import { sql } from '../../src/db/statement.ts';
import { openRuntime } from '../../src/main/runtime.ts';
import { testInstallation } from '../support/database.ts';

const { app, databaseUrl } = await testInstallation();

it.each([
  [undefined, 40, { work: 20, jobs: 10 }],
  [40, 100, { work: 20, jobs: 10 }],
  [12, 100, { work: 6, jobs: 3 }],
  [6, 100, { work: 3, jobs: 1 }],
])('%j connections are divided among work, reads and jobs, and are never more', async (setting, most, budget) => {
  const given = await connectionBudget(databaseUrl, setting);
  expect(given).toEqual(budget);
  expect(given.work + Math.ceil(given.work / 2) + given.jobs).toBeLessThanOrEqual(setting ?? most);
});

// "alter role outreach connection limit 12: daemon starts, /readyz = ready, 60 of 60 parallel GET /contacts → 500."
it('a daemon takes what the database allows, less a few for others', async () => {
  const name = new URL(databaseUrl).pathname.slice(1);
  await app.db.pool.query(`alter database ${name} connection limit 12`);
  expect(await connectionBudget(databaseUrl, undefined)).toEqual({ work: 4, jobs: 2 });
  await app.db.pool.query(`alter database ${name} connection limit -1`);
});

// "alter database … set synchronous_commit = off (a usual tuning) … kill -9 of the postmaster: one recipient got the email twice."
it('a commit waits for the disk, whatever the database is set to', async () => {
  const name = new URL(databaseUrl).pathname.slice(1);
  await app.db.pool.query(`alter database ${name} set synchronous_commit = off`);
  const fresh = await openRuntime({ ...app.config, databaseUrl });
  try {
    const asked = sql`select current_setting('synchronous_commit') as value`;
    for (const rows of [await fresh.app.db.query(asked), await fresh.app.db.tx((tx) => tx.query(asked))])
      expect(rows).toEqual([{ value: 'on' }]);
  } finally {
    await fresh.close();
  }
});

// "LATIN1: install 0, doctor ok, then POST /contacts {"name":"Ирина 😀"} → 500."
it('a database that is not UTF8 is refused, with the command that makes one', async () => {
  const name = `latin_${process.pid}`;
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`);
  try {
    const url = Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
    await expect(openRuntime({ ...app.config, databaseUrl: url })).rejects.toThrow(
      /it is encoded in LATIN1, which can't represent all names; UTF8 is required\); create another one with: createdb --encoding UTF8/,
    );
  } finally {
    await admin.query(`drop database ${name}`);
    await admin.end();
  }
});

// Errors are part of the interface: "what happened, which field or thing, what to do".
describe('a database that refuses', () => {
  const opened = (url: string) => openRuntime({ ...app.config, databaseUrl: url });

  it('because it is missing is named, with the command that makes it', async () => {
    const url = Object.assign(new URL(databaseUrl), { pathname: '/missing' }).href;
    await expect(opened(url)).rejects.toThrow(/"missing" does not exist\); create it with: createdb .* missing; or correct DATABASE_URL$/);
  });

  it.each([
    ['57P03', 'the database system is starting up', 'try again in a moment'],
    ['28P01', 'password authentication failed for user "u"', 'correct the user or the password in DATABASE_URL'],
    ['53300', 'sorry, too many clients already', 'raise its max_connections, or stop another program that uses it'],
    ['XX000', 'broken', 'start it or correct DATABASE_URL'],
  ])('with %s (%s) says what to do: %s', async (code, message, remedy) => {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    const server = createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields]))));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const { port } = server.address() as AddressInfo;
      await expect(opened(`postgres://u@127.0.0.1:${port}/x?sslmode=disable`)).rejects.toThrow(
        new RegExp(`^the database at 127\\.0\\.0\\.1:${port}/x can't be reached \\(${message}\\); ${remedy}$`),
      );
    } finally {
      server.close();
    }
  });
});

import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded/index.ts';
import { listeningIn } from '../../src/db/embedded/running.ts';
import { afterFile } from '../support/after-file.ts';

/** The program reaches the embedded server through a socket that only the server's user may touch, else over TCP. */

function folderOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  chmodSync(folder, 0o711);
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function ask(url: string, question: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return Object.values((await client.query(question)).rows[0])[0];
  } finally {
    await client.end();
  }
}

/** Null through a socket. */
const SERVER_ADDRESS = 'select host(inet_server_addr())';

describe('the socket of the embedded server', () => {
  it('is used, asks for the password, and lies where others may not enter; where none can be made, TCP is used', async () => {
    const dataDir = folderOf('outreach-socket-');
    const server = await startEmbeddedPostgres(dataDir);
    const stranger = new URL(server.url);
    stranger.password = 'wrong';
    const log = join(dataDir, 'postgres', 'server.log');
    try {
      // docs/operating.md: "No line names a recipient".
      await expect(
        ask(
          server.url,
          `do $$ begin create temp table t (email text unique); insert into t select 'zoe@example.com' from generate_series(1, 2); end $$`,
        ),
      ).rejects.toThrow('duplicate key');
      await expect(ask(server.url, `select 'zoe@example.com', 1 / 0`)).rejects.toThrow('division by zero');
      expect(readFileSync(log, 'utf8')).toMatch(/duplicate key[\s\S]*division by zero/);
      expect(readFileSync(log, 'utf8')).not.toContain('zoe@');
      appendFileSync(log, 'x'.repeat(11 * 1024 * 1024));
      expect(await ask(server.url, SERVER_ADDRESS)).toBeNull();
      await expect(ask(stranger.href, SERVER_ADDRESS)).rejects.toThrow('password authentication failed');
      expect(statSync(join(dataDir, 'postgres')).mode & 0o077).toBe(0);
      // docs/security.md: another user of the machine "can't … keep the daemon from its database": nobody else may begin a connection.
      await expect(ask(server.url.replace(/\?.*/, ''), SERVER_ADDRESS)).rejects.toThrow('ECONNREFUSED');
      expect(await server.revive()).toBe(false);
    } finally {
      await server.release();
    }
    // As on a shared folder that can't hold a socket: it can't be bound.
    mkdirSync(join(dataDir, 'postgres', `.s.PGSQL.${stranger.port}`, 'in the way'), { recursive: true });
    const without = await startEmbeddedPostgres(dataDir);
    try {
      expect(new URL(without.url).port).toBe(stranger.port);
      expect(await ask(without.url, SERVER_ADDRESS)).toBe('127.0.0.1');
      // The log of the last start was long.
      expect(statSync(log).size).toBeLessThan(100_000);
      expect(statSync(`${log}.1`).size).toBeGreaterThan(11 * 1024 * 1024);
    } finally {
      await without.release();
    }
  });

  it.each([
    ['of a path that is not too long', 'postgres', true],
    ['longer than the address of a socket may be', 'p'.repeat(100), false],
    ['with a comma, which parts hosts in a URL', 'a,b', false],
    ['with a percent sign', '100%41', false],
  ])('is used in a folder %s: %3$s', (_, name, isUsed) => {
    const folder = join(folderOf('outreach-path-'), name);
    mkdirSync(folder);
    const write = (sockets: string, state: string) =>
      writeFileSync(join(folder, 'postmaster.pid'), `1\n${folder}\n1\n5432\n${sockets}\n127.0.0.1\n1\n${state}\n`);
    write('.', 'starting');
    expect(listeningIn(folder)).toBeUndefined();
    write('.', 'ready   ');
    expect(listeningIn(folder)).toEqual({ port: 5432, socketFolder: isUsed ? folder : undefined });
    // Started without sockets.
    write('', 'ready   ');
    expect(listeningIn(folder)).toEqual({ port: 5432, socketFolder: undefined });
  });
});

import { describe, expect, it } from 'vitest';
import { parseDatabaseUrl } from '../../src/db/database-url.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../support/smtp-sink.ts';

const server = (url: string) => parseDatabaseUrl(url).servers[0];

describe('DATABASE_URL', () => {
  it.each([
    ['postgres://ann:pw@db.example:5433/out', { user: 'ann', password: 'pw', host: 'db.example', port: 5433, database: 'out' }],
    ['postgresql://db.example/out', { host: 'db.example', port: 5432, database: 'out' }],
    ['postgres://ann:p%40ss%2Fw%3A%25@db.example/out', { password: 'p@ss/w:%', host: 'db.example' }],
    ['postgres://ann:p@ss@db.example/out', { password: 'p@ss', host: 'db.example' }],
    ['postgres://[::1]:5433/out', { host: '::1', port: 5433 }],
    ['postgres://ann@/out?host=/run/postgresql', { user: 'ann', host: '/run/postgresql', port: 5432, database: 'out' }],
    ['postgres:///out?host=/run/postgresql&user=ann&password=pw', { user: 'ann', password: 'pw', host: '/run/postgresql' }],
    ['postgres://ann@%2Frun%2Fpostgresql:5433/out', { host: '/run/postgresql', port: 5433 }],
    ['postgres://ann@db/out?options=-c%20search_path%3Dmail', { options: '-c search_path=mail' }],
    ['postgres://ann@db/out?connect_timeout=3', { connectionTimeoutMillis: 3_000 }],
    ['postgres://ann@db/out?sslmode=require&channel_binding=require', { enableChannelBinding: true }],
  ])('%s is read as libpq reads it', (url, expected) => {
    expect(server(url)).toMatchObject(expected);
  });

  it.each([
    ['disable', false],
    ['require', { rejectUnauthorized: false }],
    [
      `verify-ca&sslrootcert=${TEST_CERTIFICATE}`,
      { ca: expect.stringContaining('BEGIN CERTIFICATE'), checkServerIdentity: expect.anything() },
    ],
    [`verify-full&sslrootcert=${TEST_CERTIFICATE}`, { ca: expect.stringContaining('BEGIN CERTIFICATE') }],
    ['verify-full&sslrootcert=system', { ca: expect.arrayContaining([expect.stringContaining('BEGIN CERTIFICATE')]) }],
    [`verify-full&sslcert=${TEST_CERTIFICATE}&sslkey=${TEST_CERTIFICATE_KEY}`, { cert: expect.any(String) }],
  ])('sslmode=%s is TLS as libpq means it', (mode, ssl) => {
    const target = server(`postgres://ann@db/out?sslmode=${mode}`);
    expect(target).toMatchObject({ ssl });
  });

  it('names several servers, and then one that takes writes is meant', () => {
    expect(parseDatabaseUrl('postgres://ann:pw@a:1,b,[::1]:3/out')).toMatchObject({
      servers: [
        { host: 'a', port: 1 },
        { host: 'b', port: 5432, password: 'pw' },
        { host: '::1', port: 3 },
      ],
      needsWritable: true,
      label: 'a:1,b:5432,::1:3/out',
    });
    expect(parseDatabaseUrl('postgres:///out?host=a,b&port=5433').servers.map(({ host, port }) => `${host}:${port}`)).toEqual([
      'a:5433',
      'b:5433',
    ]);
    expect(parseDatabaseUrl('postgres://a/out').needsWritable).toBe(false);
    expect(parseDatabaseUrl('postgres://a/out?target_session_attrs=read-write').needsWritable).toBe(true);
  });

  it.each([
    'postgres://ann:s3/cret@db/out',
    'postgres://ann:5/cret@db/out',
    'postgres://ann:s3?cret@db/out',
    'postgres://ann:s3#cret@db/out',
    'postgres://ann:s3%zzcret@db/out',
    'postgres://ann:s3 cret/@db/out',
    'mysql://ann:s3cret@db/out',
  ])('%s: explains how to write special characters, and shows nothing of the password', (url) => {
    let message = '';
    try {
      parseDatabaseUrl(url);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^setting DATABASE_URL: .*@ as %40, : as %3A, \/ as %2F/);
    expect(message).not.toMatch(/s3|cret/);
  });

  it.each([
    ['sslmode=prefer', 'sslmode must be disable, require, verify-ca, verify-full or no-verify, not "prefer"'],
    ['sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert'],
    ['sslmode=require&sslrootcert=system', 'sslrootcert=system needs sslmode=verify-full'],
    ['sslrootcert=/nowhere/ca.pem', 'no such file or directory'],
    ['target_session_attrs=standby', 'target_session_attrs must be any, read-write or primary, not "standby"'],
    ['schema=mail', 'the parameter "schema" is not supported'],
  ])('?%s is refused, since it could not be kept', (query, message) => {
    expect(() => parseDatabaseUrl(`postgres://ann@db/out?${query}`)).toThrow(message);
  });
});

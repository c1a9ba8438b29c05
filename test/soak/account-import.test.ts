import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import AccountImport from '../../commands/account/import.ts';
import { afterFile } from '../support/after-file.ts';
import { testInstallation } from '../support/database.ts';
import { startImapServer } from '../support/imap-server.ts';
import { runCommand } from '../support/run-command.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

const MAILBOXES = 100;
const ANSWER_MILLISECONDS = 200;

/** A wire to a server that takes so long for everything that the server says. */
async function slowWire(target: number): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    upstream.on('data', (chunk) => setTimeout(() => client.write(chunk), ANSWER_MILLISECONDS));
    client.on('data', (chunk) => upstream.write(chunk));
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => setTimeout(() => other.destroy(), 2 * ANSWER_MILLISECONDS));
    }
  }).listen(0, '127.0.0.1');
  afterFile(async () => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

it('100 mailboxes are connected in under a minute on servers that answer in 200 ms', async () => {
  const world = await testInstallation();
  const emails = Array.from({ length: MAILBOXES }, (_, index) => `box-${index}@example.com`);
  const users = Object.fromEntries(emails.map((email) => [email, 'secret']));
  const [sink, imap] = [await startSmtpSink({ users }), await startImapServer({ users })];
  afterFile(() => sink.close());
  afterFile(() => imap.close());
  const [smtpPort, imapPort] = [await slowWire(sink.port), await slowWire(imap.port)];
  const rows = emails.map((email) => {
    const user = encodeURIComponent(email);
    return `${email},smtp://${user}@127.0.0.1:${smtpPort},imap://${user}@127.0.0.1:${imapPort},secret`;
  });
  const file = join(world.dataDir, 'mailboxes.csv');
  writeFileSync(file, `email,smtp_url,imap_url,password\n${rows.join('\n')}\n`);
  const env = { OUTREACH_DATA_DIR: world.dataDir, DATABASE_URL: world.databaseUrl, OUTREACH_SECRET_KEY: TEST_SECRET };
  const began = performance.now();
  const { status, stdout, stderr } = await runCommand(AccountImport, [file], env);
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${MAILBOXES} mailboxes in ${seconds.toFixed(1)} s`);
  expect({ status, last: stdout.trimEnd().split('\n').at(-1), stderr }).toEqual({
    ...{ status: 0, last: '100 accounts were connected, 0 failed.', stderr: '' },
  });
  expect(seconds).toBeLessThan(60);
});

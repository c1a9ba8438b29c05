import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/**
 * `node test/chaos/sink-server.ts PORT LOG PASSWORD`: an SMTP server that may be killed at any moment. A message is in the log, and on the
 * disk, before it is accepted. Prints a line when it listens.
 */
const [port = '', path = '', password = ''] = process.argv.slice(2);
const log = openSync(path, 'a');

const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  logger: false,
  onAuth: ({ username, password: given }, _session, answer) =>
    given === password ? answer(null, { user: username }) : answer(new Error('wrong password')),
  async onData(stream, { envelope }, answer) {
    const raw = await buffer(stream).catch(() => undefined);
    // The client disconnected in the middle.
    if (raw === undefined) return;
    const entry = { to: envelope.rcptTo.map(({ address }) => address), raw: raw.toString('latin1') };
    writeSync(log, `${JSON.stringify(entry)}\n`);
    fsyncSync(log);
    await wait(Math.random() * 30);
    answer();
  },
});
server.on('error', () => undefined);
server.listen(Number(port), '127.0.0.1', () => console.log('listening'));
process.once('SIGTERM', () => {
  closeSync(log);
  process.exit();
});

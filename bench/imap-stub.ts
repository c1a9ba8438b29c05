import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createServer } from 'node:tls';

/**
 * An IMAP server over TLS for very many mailboxes without new messages, in a separate process: it accepts every password, and implements
 * only what a poll needs. Prints its port.
 */
const CAPABILITIES = 'IMAP4rev1 SASL-IR AUTH=PLAIN ID NAMESPACE UNSELECT IDLE SPECIAL-USE LITERAL+';
const STATE = 'UIDVALIDITY 1 UIDNEXT 1';
const [key, cert] = ['key', 'crt'].map((name) => readFileSync(new URL(`../test/support/tls/localhost.${name}`, import.meta.url)));

/** The untagged responses by command. All other commands get OK. */
const ANSWERS: Record<string, (rest: string) => string> = {
  CAPABILITY: () => `* CAPABILITY ${CAPABILITIES}\r\n`,
  ID: () => '* ID NIL\r\n',
  NAMESPACE: () => '* NAMESPACE (("" "/")) NIL NIL\r\n',
  LIST: () => '* LIST (\\HasNoChildren) "/" INBOX\r\n* LIST (\\HasNoChildren \\Junk) "/" Junk\r\n',
  LSUB: () => '* LSUB () "/" INBOX\r\n* LSUB () "/" Junk\r\n',
  EXAMINE: () => '* FLAGS (\\Seen)\r\n* 0 EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 1] valid\r\n* OK [UIDNEXT 1] next\r\n',
  STATUS: (rest) => `* STATUS ${rest.split(' (')[0]} (${STATE})\r\n`,
  LOGOUT: () => '* BYE\r\n',
};

const server = createServer({ key, cert }, (socket) => {
  let idling = '';
  socket.on('error', () => undefined);
  socket.write(`* OK [CAPABILITY ${CAPABILITIES}] ready\r\n`);
  const lines = createInterface(socket).on('line', (line) => {
    const [tag = '', verb = '', ...rest] = line.split(' ');
    if (/^IDLE$/i.test(verb)) {
      idling = tag;
      socket.write('+ idling\r\n');
      return;
    }
    const answered = /^DONE$/i.test(tag) ? idling : tag;
    const code = /^(LOGIN|AUTHENTICATE)$/i.test(verb) ? `[CAPABILITY ${CAPABILITIES}] ` : '';
    socket.write(`${ANSWERS[verb.toUpperCase()]?.(rest.join(' ')) ?? ''}${answered} OK ${code}done\r\n`);
    if (/^LOGOUT$/i.test(verb)) socket.end();
  });
  // The interface forwards errors of its input.
  lines.on('error', () => undefined);
});
server.on('tlsClientError', () => undefined);
server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
process.once('SIGTERM', () => process.exit());

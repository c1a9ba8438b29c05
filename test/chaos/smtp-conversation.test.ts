import { describe, expect, it } from 'vitest';
import { type Reached, SmtpConversation } from './smtp-conversation.ts';

/** Follows chunks of a client (`C: `) and a server (`S: `). Returns the places that each reached. */
function follow(...chunks: string[]): Reached[] {
  const conversation = new SmtpConversation();
  return chunks.map((chunk) => {
    const bytes = Buffer.from(chunk.slice(3));
    return chunk.startsWith('C: ') ? conversation.fromClient(bytes) : conversation.fromServer(bytes);
  });
}

const REPLY = '250 2.0.0 queued\r\n';
const accepted = { 'after the final dot': 0, 'after the reply': REPLY.length };

describe('An SMTP conversation', () => {
  it('is caught before DATA, inside the first chunk of the message, and at the reply to the final dot', () => {
    expect(
      follow(
        'C: MAIL FROM:<a@b>\r\n',
        'S: 250 OK\r\n',
        'C: DATA\r\n',
        'S: 354 go\r\n',
        'C: Subject: Hi\r\n\r\nHi',
        'C: \r\n.\r\n',
        `S: ${REPLY}`,
      ),
    ).toEqual([{}, {}, { 'before DATA': 0 }, {}, { 'inside a message': 8 }, {}, accepted]);
  });

  it('with pipelined commands (RFC 2920), whose replies share a chunk', () => {
    const commands = 'C: MAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n';
    expect(follow(commands, 'S: 250 OK\r\n', 'S: 250 OK\r\n354 go\r\n', 'C: x\r\n.\r\n', `S: ${REPLY}`)).toEqual([
      { 'before DATA': 0 },
      {},
      {},
      { 'inside a message': 3 },
      accepted,
    ]);
  });

  it('whose final dot comes in two chunks', () => {
    expect(follow('C: DATA\r\n', 'S: 354 go\r\n', 'C: x\r\n.', 'C: \r\n', `S: ${REPLY}`).at(-1)).toEqual(accepted);
  });

  it('in which DATA was refused has no message', () => {
    expect(follow('C: DATA\r\n', 'S: 554 no\r\n', 'C: QUIT\r\n', 'S: 221 bye\r\n').slice(1)).toEqual([{}, {}, {}]);
  });
});

import { readMessage } from './read-message.ts';
import type { RawMessage } from './reader.ts';

/**
 * The program of a reader process. It classifies the messages of each batch in order and returns every result immediately, so that the
 * parent knows which message crashed it. It exits when the parent does.
 */
process.on('message', async (messages: RawMessage[]) => {
  for (const { raw, sent } of messages) process.send?.(await readMessage(raw, sent));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

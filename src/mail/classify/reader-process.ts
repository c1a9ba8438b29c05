import { readMessage } from './read-message.ts';
import type { RawMessage } from './reader.ts';

/**
 * The program of a reader. It classifies each batch of messages from its parent in order and returns every result at once, so that the
 * parent knows which message broke it. It ends with its parent.
 */
process.on('message', async (messages: RawMessage[]) => {
  for (const { raw, sent } of messages) process.send?.(await readMessage(raw, sent));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

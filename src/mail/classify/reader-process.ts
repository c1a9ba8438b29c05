import { readMessage } from './read-message.ts';

/**
 * The program of a reader. It classifies each batch of messages from its parent in order and returns every result at once, so that the
 * parent knows which message broke it. It ends with its parent.
 */
process.on('message', async (raws: Uint8Array[]) => {
  for (const raw of raws) process.send?.(await readMessage(raw));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

import { readMessage } from './read-message.ts';

/**
 * The program of a reader: classifies the messages of each batch that its parent sends, in their order, and returns each as soon as it is
 * done, so that the parent knows which one it broke at. It ends with its parent.
 */
process.on('message', async (raws: Uint8Array[]) => {
  for (const raw of raws) process.send?.(await readMessage(raw));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

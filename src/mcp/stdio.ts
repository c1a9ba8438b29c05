import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onStopSignal } from '../core/stop-signal.ts';

/** Serves on stdin and stdout until stdin ends, or a signal asks to stop. */
export async function serveUntilEnd(create: () => McpServer): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  process.stdin.once('end', end).once('close', end);
  onStopSignal(end);
  const handle = serveStdio(create);
  await ended.promise;
  await handle.close();
}

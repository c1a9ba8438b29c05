import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** Serves on stdin and stdout until stdin ends, or a signal asks to stop. */
export async function serveUntilEnd(create: () => McpServer): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  process.stdin.once('end', end).once('close', end);
  process.once('SIGINT', end).once('SIGTERM', end);
  const handle = serveStdio(create);
  await ended.promise;
  await handle.close();
}

import { hostname } from 'node:os';
import { eachRecord } from '../../client/pages.ts';
import { isAlive } from '../../core/process-alive.ts';
import type { Api } from './api.ts';

/** The prefix of the names of this machine's temporary webhooks; the process id follows. */
const PREFIX = `webhook listen on ${hostname().slice(0, 200)}, process `;

/** The name of a temporary webhook of this process. */
export const temporaryName = (): string => `${PREFIX}${process.pid}`;

/** Removes the temporary webhooks whose process on this machine was killed, and returns their ids. */
export async function removeAbandoned(api: Api): Promise<number[]> {
  const webhooks = await Array.fromAsync(eachRecord((page) => api.webhooks.list.query(page)));
  const abandoned = webhooks.filter(({ name }) => name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length))));
  for (const { id } of abandoned) await api.webhooks.delete.mutate({ id });
  return abandoned.map(({ id }) => id);
}

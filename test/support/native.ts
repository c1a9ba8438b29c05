import { appRouter } from '../../src/api/routers/index.ts';
import type { Meta } from '../../src/api/trpc.ts';

/** A procedure served under /trpc. */
export interface NativeProcedure {
  name: string;
  type: 'query' | 'mutation' | 'subscription';
  meta: Meta;
}

export const procedures: NativeProcedure[] = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
  const { type, meta = {} } = (procedure as unknown as { _def: { type: NativeProcedure['type']; meta?: Meta } })._def;
  return { name, type, meta };
});

export interface NativeAnswer {
  status: number;
  /** The code and the message of a refusal; empty for an answer. */
  code: string;
  message: string;
  text: string;
}

/** Sends one call over HTTP. */
export async function fetchNative(url: string, path: string, init: RequestInit): Promise<NativeAnswer> {
  const answer = await fetch(`${url}/trpc/${path}`, init);
  const text = await answer.text();
  const { error } = JSON.parse(text) as { error?: { message: string; data: { error: string } } };
  return { status: answer.status, code: error?.data.error ?? '', message: error?.message ?? '', text };
}

/** Calls a query or a mutation. */
export function callNative(url: string, { name, type }: NativeProcedure, key: string, input: object = {}): Promise<NativeAnswer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  if (type === 'query') return fetchNative(url, `${name}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers });
  return fetchNative(url, name, { method: 'POST', headers, body: JSON.stringify(input) });
}

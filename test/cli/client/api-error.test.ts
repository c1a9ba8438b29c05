import { TRPCClientError } from '@trpc/client';
import { expect, it } from 'vitest';
import { unlessUnreadable } from '../../../src/cli/client/api-error.ts';

const answered = (error: string) => () =>
  Promise.reject(TRPCClientError.from({ error: { code: -32_600, message: error, data: { error } } } as never));

it.each([
  'not_found',
  'forbidden',
])('a record that was deleted, is hidden, or is not for the role is one that cannot be read: %s', async (code) => {
  expect(await unlessUnreadable(answered(code)(), 'nothing')).toBe('nothing');
});

it.each([
  ['an error of the server', answered('internal_error')],
  ['too many requests', answered('too_many_requests')],
  ['a server that does not answer', () => Promise.reject(TRPCClientError.from(new TypeError('fetch failed')))],
])('a call that failed says nothing of the record: %s', async (_, call) => {
  await expect(unlessUnreadable(call(), 'nothing')).rejects.toThrow(TRPCClientError);
});

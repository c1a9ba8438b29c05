import { conflict, type ErrorCode, OutreachError } from '../../core/errors.ts';
import type { Login } from '../login.ts';
import { keyRefused } from './api-error.ts';

/**
 * Sends a form with a file to a server; /trpc takes JSON only. Throws the error of the answer, `conflict` when the server can't be
 * reached, and the reason of the signal once it is aborted.
 * @param path below /api/v1
 */
export async function postForm<Answer>({ url, key }: Login, path: string, form: FormData, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
    redirect: 'error',
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: Error) => {
    throw signal?.aborted
      ? signal.reason
      : conflict(`${url} could not be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  });
  const answer = (await response.json().catch(() => {
    if (signal?.aborted) throw signal.reason;
    const hint = response.status === 413 ? '; a proxy in front of the server limits the size of uploads' : '';
    throw conflict(`the server at ${url} is not Outreach: status ${response.status}${hint}`);
  })) as Answer & { error?: { code: ErrorCode; message: string } };
  if (response.ok) return answer;
  const { code, message } = answer.error ?? { code: 'internal_error', message: `status ${response.status}` };
  throw code === 'unauthorized' ? keyRefused(url, message) : new OutreachError(code, message);
}

import { z } from 'zod';
import type { App } from '../../app.ts';
import { terminalLine } from '../../core/terminal-text.ts';
import { createPoster } from '../../webhooks/index.ts';
import { type Judgement, VERDICTS } from '../verification.ts';

/** Time limit of a verifier for one address. */
const SECONDS = 10;
/** Maximum number of characters read of an answer. A longer one is cut and then is not valid JSON. */
const MAX_ANSWER = 64 * 1024;
const MAX_REASON = 200;

/** The answer of a verifier; other fields are ignored. */
const answer = z.object({ verdict: z.enum(VERDICTS), reason: z.string().default('') });

/**
 * Returns the verifier of the setting `verify_url`, with the contract in docs/deliverability.md; undefined without that setting. It never
 * rejects: if a verifier fails, the verdict is `unknown`.
 */
export function verifierOf({ config, network }: App, seconds = SECONDS): ((email: string) => Promise<Judgement>) | undefined {
  const { verifyUrl: url, webhooksAllowPrivate: allowPrivate } = config;
  if (url === undefined) return undefined;
  const poster = createPoster({ allowPrivate, network, seconds, kept: MAX_ANSWER });
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'outreach-verify/1' };
  return async (email) => {
    const { status, response, error } = await poster.post(url, headers, JSON.stringify({ email }));
    const failed = (reason: string): Judgement => ({ verdict: 'unknown', reason: `the verifier failed: ${reason}`, source: 'hook' });
    if (error !== null) return failed(error);
    if (status === null || status < 200 || status > 299) return failed(`it answered ${status}`);
    const read = answer.safeParse(parsed(response ?? ''));
    if (!read.success) return failed('its answer is not JSON with a verdict and a reason, of 64 KB at most');
    return { verdict: read.data.verdict, reason: terminalLine(read.data.reason).slice(0, MAX_REASON).toWellFormed(), source: 'hook' };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Readiness {
  /** Returns the reason why the daemon can't do its work now, or undefined if it can. */
  problem(): Promise<string | undefined>;
}

/** An answer to a health check, in the format of the API. */
export interface HealthAnswer {
  status: 200 | 503;
  body: { status: 'ok' | 'ready' } | { error: { code: 'internal_error'; message: string } };
}

/**
 * Answers `/healthz`, which succeeds while the process runs, and `/readyz`, which succeeds while it can also do its work. Neither contacts mail
 * servers. Undefined for any other path.
 */
export async function healthAnswer(path: string, readiness: Readiness): Promise<HealthAnswer | undefined> {
  if (path === '/healthz') return { status: 200, body: { status: 'ok' } };
  if (path !== '/readyz') return undefined;
  const message = await readiness.problem();
  if (message === undefined) return { status: 200, body: { status: 'ready' } };
  return { status: 503, body: { error: { code: 'internal_error', message } } };
}

import { createInterface } from 'node:readline/promises';
import type { App } from '../app.ts';
import { MINUTE } from '../core/clock.ts';
import { conflict } from '../core/errors.ts';
import { loadSignIn, type OAuthProvider, type OAuthTokens } from '../oauth/index.ts';
import { interruptible } from './interrupt.ts';
import { say } from './terminal.ts';

const TIMEOUT = 10 * MINUTE;

/**
 * Lets a person sign in at the provider: prints the URL on stderr, opens a browser where there is one, and waits for the
 * redirect to the loopback server or, from a browser on another machine, for its URL to be pasted at the terminal
 * (RFC 8252 §7.3). Stores nothing, so it can be interrupted at any time. Throws `conflict` when nobody signs in in time.
 */
export async function signIn(app: App, provider: OAuthProvider, email: string, options: { browser: boolean }): Promise<OAuthTokens> {
  const { beginSignIn, redirectAddress, startLoopback } = await loadSignIn();
  const loopback = await startLoopback();
  const finished = new AbortController();
  try {
    const attempt = await beginSignIn(app, provider, email, redirectAddress(app, provider, loopback.port));
    say(`Sign in as ${email} at this address:\n\n${attempt.url.href}\n`);
    if (options.browser && hasBrowser()) await openBrowser(attempt.url);
    else if (process.stdin.isTTY)
      say('If the browser is on another machine, it ends at a page that does not load: paste the address of that page here.');
    return await interruptible('nothing was stored', async (signal) => {
      const answers = [
        loopback.answer(attempt.isAnswer),
        pasted(attempt.isAnswer, finished.signal),
        tooLate(finished.signal),
        aborted(signal),
      ];
      return attempt.finish(await Promise.race(answers));
    });
  } finally {
    finished.abort();
    loopback.close();
  }
}

/** True when a browser opened on this machine would appear in front of the person. */
function hasBrowser(): boolean {
  if (process.env.SSH_CONNECTION !== undefined) return false;
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
}

async function openBrowser(url: URL): Promise<void> {
  const { default: open } = await import('open');
  const child = await open(url.href).catch(() => undefined);
  // If none opens, the address on the screen is enough.
  child?.on('error', () => undefined);
}

/** Resolves with the redirect URL once it is pasted; other lines are rejected with a hint. Never resolves if stdin ends. */
function pasted(isAnswer: (address: URL) => boolean, signal: AbortSignal): Promise<URL> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, signal });
    signal.addEventListener('abort', () => lines.close());
    lines.on('line', (line) => {
      const text = line.trim();
      if (text === '') return;
      if (URL.canParse(text) && isAnswer(new URL(text))) resolve(new URL(text));
      else say('That is not the address of this sign-in: it starts with http:// and contains state= and code=. Try again.');
    });
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => {
      // The terminal has echoed ^C.
      say('');
      reject(signal.reason);
    }),
  );
}

function tooLate(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(conflict(`nothing was stored: nobody signed in within ${TIMEOUT / MINUTE} minutes; run the command again`)),
      TIMEOUT,
    );
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

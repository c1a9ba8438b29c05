import { createInterface } from 'node:readline/promises';
import type { App } from '../app.ts';
import { MINUTE } from '../core/clock.ts';
import { conflict } from '../core/errors.ts';
import { loadSignIn, type OAuthProvider, type OAuthTokens } from '../oauth/index.ts';
import { interruptible } from './interrupt.ts';

const PATIENCE = 10 * MINUTE;

/**
 * Has a person sign in at the provider: opens a browser where there is one, prints the address on stderr everywhere, and
 * takes the answer from the browser or, where that runs on another machine, from the address it ended up at, pasted at
 * the terminal. Nothing is stored meanwhile, so that it can be left at any time. Throws `conflict`.
 */
export async function signIn(app: App, provider: OAuthProvider, email: string, options: { browser: boolean }): Promise<OAuthTokens> {
  const { beginSignIn, redirectAddress, startLoopback } = await loadSignIn();
  const loopback = await startLoopback();
  const leave = new AbortController();
  try {
    const attempt = await beginSignIn(app, provider, email, redirectAddress(app, provider, loopback.port));
    say(`Sign in as ${email} at this address:\n\n${attempt.url.href}\n`);
    if (options.browser && hasBrowser()) await openBrowser(attempt.url);
    else if (process.stdin.isTTY) say('A browser on another machine ends at a page that does not load: paste its address here.');
    return await interruptible('nothing was stored', async (signal) => {
      const answers = [loopback.answer(attempt.isAnswer), pasted(attempt.isAnswer, leave.signal), tooLate(leave.signal), aborted(signal)];
      return attempt.finish(await Promise.race(answers));
    });
  } finally {
    leave.abort();
    loopback.close();
  }
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Whether a browser opened here would be in front of the person who asks. */
function hasBrowser(): boolean {
  if (process.env.SSH_CONNECTION !== undefined) return false;
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
}

async function openBrowser(url: URL): Promise<void> {
  const { default: open } = await import('open');
  const child = await open(url.href).catch(() => undefined);
  // Where none opens, the address on the screen is enough.
  child?.on('error', () => undefined);
}

/** The address pasted at the terminal; lines that are none are said to be so. Never where stdin ends or is no terminal's. */
function pasted(isAnswer: (address: URL) => boolean, signal: AbortSignal): Promise<URL> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, signal });
    signal.addEventListener('abort', () => lines.close());
    lines.on('line', (line) => {
      const text = line.trim();
      if (text === '') return;
      if (URL.canParse(text) && isAnswer(new URL(text))) resolve(new URL(text));
      else say('That is not the address this sign-in ends at: it begins with http:// and holds state= and code=. Try again.');
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
      () => reject(conflict(`nothing was stored: nobody signed in within ${PATIENCE / MINUTE} minutes; try again`)),
      PATIENCE,
    );
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}

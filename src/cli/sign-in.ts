// biome-ignore-all lint/style/noProcessEnv: the variables say whether the person would see a browser that is opened here

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { MINUTE } from '../core/clock.ts';
import { conflict } from '../core/errors.ts';
import { terminalLine } from '../core/terminal-text.ts';
import { loadSignIn } from '../oauth/index.ts';
import { interruptible } from './interrupt.ts';
import { say } from './terminal.ts';

const TIMEOUT = 10 * MINUTE;

/** Programs that open a URL, for systems without xdg-open, which Linux and BSD have. */
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] };

/** A sign-in that a person has carried out, as the request to connect an account takes it. */
export interface SignedIn {
  /** The URL that the provider redirected to. */
  answer: string;
  port: number;
  state: string;
  verifier: string;
}

/**
 * Lets a person sign in at the provider: prints the URL on stderr, opens a browser where there is one, and waits for the
 * redirect to the loopback server or, from a browser on another machine, for its URL to be pasted at the terminal
 * (RFC 8252 §7.3). Stores nothing, so it can be interrupted at any time. Throws `conflict` when nobody signs in in time.
 * @param addressOf returns the address to sign in at, from the installation
 */
export async function signIn(
  email: string,
  options: { browser: boolean },
  addressOf: (request: { port: number; state: string; challenge: string }) => Promise<string>,
): Promise<SignedIn> {
  const { challengeOf, newSignIn, startLoopback } = await loadSignIn();
  const loopback = await startLoopback();
  const finished = new AbortController();
  try {
    const { port } = loopback;
    const secrets = newSignIn();
    const isAnswer = (address: URL) => address.searchParams.get('state') === secrets.state;
    const url = await addressOf({ port, state: secrets.state, challenge: await challengeOf(secrets) });
    say(`Sign in as ${terminalLine(email)} at this address:\n\n${terminalLine(url)}\n`);
    if (options.browser && hasBrowser()) openBrowser(url);
    else if (process.stdin.isTTY)
      say('If the browser is on another machine, it ends at a page that does not load: paste the address of that page here.');
    const answer = await interruptible('nothing was stored', (signal) =>
      Promise.race([loopback.answer(isAnswer), pasted(isAnswer, finished.signal), tooLate(finished.signal), aborted(signal)]),
    );
    return { answer: answer.href, port, ...secrets };
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

/** Opens the address in the browser of this person, without a shell. If none opens, the address on the screen is enough. */
function openBrowser(url: string): void {
  const [program = 'xdg-open', ...options] = OPENERS[process.platform] ?? [];
  const child = spawn(program, [...options, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
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

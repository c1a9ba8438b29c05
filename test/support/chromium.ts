import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterFile } from './after-file.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where Debian's Chromium is; undefined, with a word about it, where there is none. */
export const CHROMIUM = PLACES.find((place) => existsSync(place));
if (CHROMIUM === undefined) console.log('no Chromium (Debian: apt-get install chromium): the tests in a browser are skipped');

/** A browser of its own for a test file, closed after it. @param args more of Chromium's switches */
export async function startBrowser(args: readonly string[] = []): Promise<Browser> {
  // A container has neither user namespaces nor a /dev/shm of use.
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] });
  afterFile(() => browser.close());
  return browser;
}

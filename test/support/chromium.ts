import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterFile } from './after-file.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of Debian's Chromium; undefined, with a message, if there is none. */
export const CHROMIUM = PLACES.find((place) => existsSync(place));
if (CHROMIUM === undefined) console.log('no Chromium (Debian: apt-get install chromium): the tests in a browser are skipped');

/** Starts a browser for a test file, closed after it. @param args more of Chromium's switches */
export async function startBrowser(args: readonly string[] = []): Promise<Browser> {
  // A container has neither user namespaces nor a usable /dev/shm.
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] });
  afterFile(() => browser.close());
  return browser;
}

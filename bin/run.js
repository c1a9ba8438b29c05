#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Plain JavaScript that every Node can parse, so that an old Node does not fail with a syntax error.
const wanted = [22, 18];
const found = process.versions.node.split('.').map(Number);
const isTooOld = found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1]);
/** The Node that `npm ci` installs in a checkout. */
const ownNode = fileURLToPath(new URL(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url));

if (!isTooOld) await run();
// Loaded only here: both together take a tenth of Node's start time.
else if ((await import('node:fs')).existsSync(ownNode)) await runIn(ownNode);
else {
  console.error(
    `outreach needs Node ${wanted.join('.')} or newer, but this is Node ${process.versions.node}; install a newer Node, or the Debian package of Outreach, which contains one`,
  );
  process.exitCode = 1;
}

async function run() {
  // Other users of the machine can read command lines (ps): hide one that contains a secret.
  if (process.argv.some((word) => /:\/\/.*@|^--key(=|$)/.test(word))) process.title = 'outreach';
  // The cache is beside the program: in a folder shared by all users, any user could leave code. NODE_COMPILE_CACHE names another folder.
  module.enableCompileCache(fileURLToPath(new URL('../dist/.compile-cache', import.meta.url)));
  // trpc-openapi and express check and print less in production.
  process.env.NODE_ENV ??= 'production';
  // oclif would check the version of Node, which this file has just done.
  process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1';
  // Node's deprecation warnings, such as that for url.parse() in nodemailer, are for the maintainers of the program.
  process.noDeprecation = true;
  // The dashboard's colours come from chalk, which reads only FORCE_COLOR (https://no-color.org).
  if (process.env.NO_COLOR) process.env.FORCE_COLOR = '0';
  const { main } = await import('../dist/src/cli/main.js').catch(explainUnbuilt);
  await main(import.meta.url);
}

/** Says what to do in a checkout that is not built. Throws any other error. */
function explainUnbuilt(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.url.endsWith('/dist/src/cli/main.js')) throw error;
  console.error('outreach: the program is not built yet; run: npm run build (npm start builds it, too: then wait until it is ready)');
  process.exit(1);
}

/** Runs this file in another Node and exits with the same status or signal. */
async function runIn(node) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C reaches the child directly: the terminal signals the whole group.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('exit', (status, signal) => {
    if (signal !== null) process.removeAllListeners(signal).kill(process.pid, signal);
    else process.exit(status);
  });
}

#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Plain JavaScript that every Node can parse, so that an old one prints one clear line instead of a syntax error.
const wanted = [22, 18];
const found = process.versions.node.split('.').map(Number);
if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  console.error(
    `outreach needs Node ${wanted.join('.')} or newer, but this is Node ${process.versions.node}; install a newer version, or run: npm exec -- outreach`,
  );
  process.exit(1);
}
// Other users of the machine can read command lines (ps): hide one that contains a secret.
if (process.argv.some((word) => /:\/\/.*@|^--key(=|$)/.test(word))) process.title = 'outreach';
// Caches compiled code next to the program: a command starts in two thirds of the time. If the directory is not writable, Node
// continues without a cache.
module.enableCompileCache(fileURLToPath(new URL('../dist/.compile-cache', import.meta.url)));
// trpc-openapi and express check and print less in production.
process.env.NODE_ENV ??= 'production';
// The dashboard's colours come from chalk, which reads only FORCE_COLOR (https://no-color.org).
if (process.env.NO_COLOR) process.env.FORCE_COLOR = '0';
const { main } = await import('../dist/src/cli/main.js');
await main(import.meta.url);

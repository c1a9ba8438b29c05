#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Plain JavaScript that any Node can read, so that an old one gets one clear line instead of a syntax error.
const wanted = [22, 18];
const found = process.versions.node.split('.').map(Number);
if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  console.error(
    `outreach needs Node ${wanted.join('.')} or newer and this is ${process.versions.node}; install a newer one, or run it with: npm exec -- outreach`,
  );
  process.exit(1);
}
// Other users of the machine can read a command line (ps); what is secret in this one is gone from there from now on.
if (process.argv.some((word) => /:\/\/.*@|^--key(=|$)/.test(word))) process.title = 'outreach';
// Compiled code is kept beside the program: a command starts in two thirds of the time. Where nothing can be written there,
// Node goes on without.
module.enableCompileCache(fileURLToPath(new URL('../dist/.compile-cache', import.meta.url)));
// trpc-openapi and express check and print less when told that this is no development server.
process.env.NODE_ENV ??= 'production';
// The dashboard is coloured by chalk, which knows FORCE_COLOR alone (https://no-color.org).
if (process.env.NO_COLOR) process.env.FORCE_COLOR = '0';
const { main } = await import('../dist/src/cli/main.js');
await main(import.meta.url);

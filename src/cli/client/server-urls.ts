/** The part of accounts/ that reads the addresses of servers. An `import()` of accounts/index.ts would load the whole folder. */
export { serversOf } from '../../accounts/index.ts';

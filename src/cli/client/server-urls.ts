/** The part of accounts by which commands read the addresses of servers. An `import()` of the room itself would load all of it. */
export { serversOf } from '../../accounts/index.ts';

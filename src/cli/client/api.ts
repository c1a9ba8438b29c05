import type { Client } from '../../client/create-client.ts';

/** The typed client that commands call procedures with; the same for a server and for this machine's installation. */
export type Api = Client;

import { ApiKey, Membership, User, Workspace } from './access/index.ts';
import { Account } from './accounts/index.ts';

/** The entities of all rooms: what MikroORM is told of. */
export const entities = [Account, ApiKey, Membership, User, Workspace];

import { ApiKey, Membership, User, Workspace } from './access/index.ts';

/** The entities of all rooms: what MikroORM is told of. */
export const entities = [ApiKey, Membership, User, Workspace];

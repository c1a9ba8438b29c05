import { ApiKey, Membership, User, Workspace } from './access/index.ts';
import { Account } from './accounts/index.ts';
import { Campaign, Step, Template } from './campaigns/index.ts';
import { Contact, CustomField, List, Suppression } from './contacts/index.ts';

/** The entities of all rooms: what MikroORM is told of. */
export const entities = [Account, ApiKey, Campaign, Contact, CustomField, List, Membership, Step, Suppression, Template, User, Workspace];

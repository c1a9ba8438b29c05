import { Migrator } from '@mikro-orm/migrations';
import { migrations } from '../../migrations/index.ts';
import { ApiKey, Workspace } from '../access/index.ts';
import { Account } from '../accounts/index.ts';
import { Campaign, Step } from '../campaigns/index.ts';
import { Contact, CustomField, List } from '../contacts/index.ts';
import type { OrmOptions } from '../db/entity-manager.ts';
import { Template } from '../templates/index.ts';
import { Webhook } from '../webhooks/index.ts';

/** Every MikroORM entity. */
export const entities = [Account, ApiKey, Campaign, Contact, CustomField, List, Step, Template, Webhook, Workspace];

/** The options that MikroORM is opened with. */
export const ormOptions: OrmOptions = { entities, extensions: [Migrator], migrations };

import { ApiKey, Workspace } from '../access/index.ts';
import { Account } from '../accounts/index.ts';
import { Campaign, Step } from '../campaigns/index.ts';
import { Contact, CustomField, List } from '../contacts/index.ts';
import { Template } from '../templates/index.ts';
import { Webhook } from '../webhooks/index.ts';

/** Every MikroORM entity. */
export const entities = [Account, ApiKey, Campaign, Contact, CustomField, List, Step, Template, Webhook, Workspace];

import { ApiKey, Membership, User, Workspace } from '../access/index.ts';
import { Account } from '../accounts/index.ts';
import { CallTask, Campaign, Step } from '../campaigns/index.ts';
import { Contact, CustomField, List, Suppression } from '../contacts/index.ts';
import { Template } from '../templates/index.ts';
import { Webhook } from '../webhooks/index.ts';

/** Every MikroORM entity. */
export const entities = [
  Account,
  ApiKey,
  CallTask,
  Campaign,
  Contact,
  CustomField,
  List,
  Membership,
  Step,
  Suppression,
  Template,
  User,
  Webhook,
  Workspace,
];

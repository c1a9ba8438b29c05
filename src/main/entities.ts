import { ApiKey, Membership, User, Workspace } from '../access/index.ts';
import { Account } from '../accounts/index.ts';
import { CallTask, Campaign, CampaignStats, RotationGroup, Step, Template } from '../campaigns/index.ts';
import { Contact, CustomField, List, Suppression } from '../contacts/index.ts';
import { Webhook } from '../webhooks/index.ts';

/** Every MikroORM entity. */
export const entities = [
  Account,
  ApiKey,
  CallTask,
  Campaign,
  CampaignStats,
  Contact,
  CustomField,
  List,
  Membership,
  RotationGroup,
  Step,
  Suppression,
  Template,
  User,
  Webhook,
  Workspace,
];

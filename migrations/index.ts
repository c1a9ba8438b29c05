import { access } from './0001-access.ts';
import { contacts } from './0002-contacts.ts';
import { accounts } from './0003-accounts.ts';
import { campaigns } from './0004-campaigns.ts';
import { enrolments } from './0005-enrolments.ts';
import { outbox } from './0006-outbox.ts';
import { events } from './0007-events.ts';
import { inbound } from './0008-inbound.ts';
import { webhooks } from './0009-webhooks.ts';

/** In the order in which they run. New ones are added at the end; what is released is never changed. */
const IN_ORDER = { access, contacts, accounts, campaigns, enrolments, outbox, events, inbound, webhooks };

/** Every migration, in order, with the name of its file: its place from 1 on and its name above. Both scripts are SQL. */
export const migrations = Object.entries(IN_ORDER).map(([name, { up, down }], index) => ({
  name: `${String(index + 1).padStart(4, '0')}-${name}`,
  up,
  down,
}));

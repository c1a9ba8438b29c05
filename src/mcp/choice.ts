import type { Operation } from './operations.ts';

/*
 * The operations that are tools. A model finds its way among some eighty whose names begin with what they are about; what belongs to the
 * administration of an installation, and what another tool does as well, would only be in the way.
 */

/** The resources whose operations are tools. */
const RESOURCES = [
  ...['access', 'accountOverview', 'accounts', 'activity', 'calls', 'campaignFiles', 'campaignOptions', 'campaigns', 'contacts'],
  ...['customFields', 'draft', 'enrolments', 'events', 'lists', 'replies', 'reports', 'rotations', 'search', 'sending', 'steps'],
  ...['suppressions', 'templates'],
];

/** Operations of those resources that are no tools, with the reason. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'accounts.archive': 'administration',
  'accounts.list': 'accountOverview.list says more',
  'accounts.remove': 'administration',
  'accounts.unarchive': 'administration',
  'contacts.merge': 'it cannot be undone',
  'events.listOfCampaign': 'events.list takes campaign_id',
};

/** Operations after which emails may leave that would not have left otherwise, and what they do. */
const SENDING: Readonly<Record<string, string>> = {
  'accounts.resume': 'the campaigns that were paused with the account send again',
  'campaignFiles.applyAll': 'it changes campaigns that are running, and enrols contacts in them',
  'campaigns.activate': 'it starts sending emails to everybody who is enrolled',
  'draft.approve': 'it sends an email to the author of the reply',
  'enrolments.enrol': 'a running campaign sends its steps to whoever is enrolled',
  'enrolments.resume': 'the contact gets emails again',
  'replies.answer': 'it sends an email to the author of the reply',
  'replies.dismissOptOut': 'the contact gets emails again, although they may have asked for no more',
  'replies.reclassify': 'the sequence may continue for the contact, and suppressions may be lifted',
  'rotations.activate': 'it starts sending emails to everybody who is enrolled',
  'rotations.addAccounts': 'the accounts may begin to send',
  'rotations.create': 'if the campaign is running, the further accounts begin to send',
  'sending.test': 'it sends emails to the address',
  'suppressions.remove': 'the address can be emailed again, although it may have opted out',
};

/** True for an operation that is offered as a tool. */
export const isTool = ({ procedure }: Pick<Operation, 'procedure'>): boolean =>
  RESOURCES.includes(procedure.split('.')[0] ?? '') && !Object.hasOwn(EXCLUDED, procedure);

/** True for an operation after which emails may leave. */
export const isSending = ({ procedure }: Pick<Operation, 'procedure'>): boolean => Object.hasOwn(SENDING, procedure);

/** The reason why a call needs a confirmation; undefined if it needs none. */
export function whyConfirm({ procedure, method }: Pick<Operation, 'procedure' | 'method'>): string | undefined {
  return SENDING[procedure] ?? (method === 'DELETE' ? 'it deletes or removes something' : undefined);
}

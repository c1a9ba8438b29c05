import type { Operation } from './operations.ts';

/*
 * The operations that are tools. A model can handle some eighty whose names begin with their subject. Operations for administering an
 * installation, and those that another tool covers, would only be in the way.
 */

/** The resources whose operations are tools. */
const RESOURCES = [
  ...[
    'access',
    'accountHealth',
    'accountOverview',
    'accounts',
    'activity',
    'calendar',
    'calls',
    'campaignFiles',
    'campaignOptions',
    'campaigns',
    'contactPages',
    'contacts',
  ],
  ...['customFields', 'draft', 'enrolments', 'events', 'lists', 'replies', 'reports', 'rotations', 'search', 'sending', 'steps'],
  ...['suppressions', 'templates', 'verification'],
];

/** Operations of those resources that are not tools, with the reason. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'accounts.archive': 'administration',
  'accounts.list': 'accountOverview.list says more',
  'accounts.remove': 'administration',
  'accounts.unarchive': 'administration',
  'contacts.merge': 'it cannot be undone',
  'events.listOfCampaign': 'events.list takes campaign_id',
  'search.export': 'it gives a file',
};

/** Operations that may cause emails to be sent, and their consequence. */
const SENDING: Readonly<Record<string, string>> = {
  'calls.done': 'the next step of the sequence may be an email',
  'calls.skip': 'the next step of the sequence may be an email',
  'lists.addMembers': 'a campaign that watches the list enrols contacts who join it',
  'accounts.resume': 'the campaigns that were paused with the account send again',
  'campaignFiles.applyAll': 'it changes campaigns that are running, and enrols contacts in them',
  'campaigns.activate': 'it starts sending emails to everybody who is enrolled',
  'draft.approve': 'it sends an email to the author of the reply',
  'enrolments.enrol': 'a running campaign sends its steps to the contacts who are enrolled',
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

/** Operations that change something but send nothing, and that change one record or stop something that a person can start again. */
const HARMLESS = [
  ...[
    'accountHealth.check',
    'accounts.pause',
    'campaigns.archive',
    'campaigns.copy',
    'campaigns.create',
    'campaigns.pause',
    'campaigns.unarchive',
  ],
  ...[
    'contacts.archive',
    'contacts.unarchive',
    'customFields.create',
    'draft.answer',
    'draft.update',
    'enrolments.hold',
    'enrolments.stop',
  ],
  ...['lists.create', 'lists.update', 'replies.confirmOptOut', 'rotations.pause'],
  ...['templates.archive', 'templates.create', 'templates.unarchive', 'templates.update'],
];

/** Operations whose consequences depend on their input and on the state of the campaign, see `consequenceOf`. */
const DEPENDENT = [
  ...['campaignOptions.update', 'campaigns.update', 'contacts.batch', 'contacts.create', 'contacts.put', 'contacts.update'],
  ...['replies.update', 'steps.create', 'steps.move', 'steps.setOptions', 'steps.update', 'suppressions.add', 'suppressions.addBatch'],
];

type Named = Pick<Operation, 'procedure'>;

/** True for an operation that is offered as a tool. */
export const isTool = ({ procedure }: Named): boolean =>
  RESOURCES.includes(procedure.split('.')[0] ?? '') && !Object.hasOwn(EXCLUDED, procedure);

/** True for an operation that may cause emails to be sent. */
export const isSending = ({ procedure }: Named): boolean => Object.hasOwn(SENDING, procedure) || isDependent({ procedure });

/** True for an operation that needs a confirmation for some calls and not for others. */
export const isDependent = ({ procedure }: Named): boolean => DEPENDENT.includes(procedure);

/** Returns the reason why every call needs a confirmation; undefined if none or only some do. Unlisted operations need one. */
export function whyConfirm({ procedure, method }: Pick<Operation, 'procedure' | 'method'>): string | undefined {
  if (SENDING[procedure] !== undefined) return SENDING[procedure];
  if (method === 'DELETE') return 'it deletes or removes something';
  return method === 'GET' || HARMLESS.includes(procedure) || isDependent({ procedure }) ? undefined : 'it changes something';
}

/** Names for tools whose procedure name does not say what they are about. */
const NAMES: Readonly<Record<string, string>> = {
  'access.me': 'whoami',
  'access.workspace': 'workspace_get',
  'accountOverview.list': 'accounts_list',
  'campaignFiles.applyAll': 'campaigns_apply_files',
  'campaignFiles.export': 'campaigns_export_file',
  'events.stats': 'campaigns_stats',
  'reports.campaign': 'campaigns_report',
  'search.search': 'contacts_search',
  'sending.explain': 'campaigns_explain',
  'sending.forecast': 'campaigns_forecast',
  'sending.preview': 'campaigns_preview',
  'sending.test': 'campaigns_send_test',
};

/** Returns the name of the tool for a procedure: `campaign_options_get` for `campaignOptions.get`. */
export const toolName = (procedure: string): string =>
  NAMES[procedure] ?? procedure.replaceAll('.', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The tools that are offered by default: those for a campaign and its replies. Some clients accept only 40, and a model reads them all. */
const USUAL = [
  ...['access.me', 'accountOverview.list', 'campaigns.activate', 'campaigns.create', 'campaigns.get', 'campaigns.list', 'campaigns.pause'],
  ...['campaigns.update', 'campaigns.warnings', 'contacts.create', 'contacts.get', 'contacts.update', 'draft.answer', 'enrolments.enrol'],
  ...['enrolments.list', 'enrolments.stop', 'events.stats', 'replies.get', 'replies.list', 'replies.update', 'reports.campaign'],
  ...[
    'reports.workspace',
    'search.search',
    'sending.explain',
    'sending.preview',
    'sending.test',
    'steps.create',
    'steps.list',
    'steps.update',
    'suppressions.add',
  ],
];

/** Sets of tools by name, as `--tools` takes them: the usual tools, all tools, and those of a part of the API. */
const SETS: Readonly<Record<string, (named: Named) => boolean>> = {
  usual: ({ procedure }) => USUAL.includes(procedure),
  all: () => true,
  ...Object.fromEntries(
    Object.entries({
      accounts: ['access', 'accountOverview', 'accounts'],
      campaigns: ['campaignFiles', 'campaignOptions', 'campaigns', 'enrolments', 'rotations', 'sending', 'steps', 'templates'],
      contacts: ['contacts', 'customFields', 'lists', 'search', 'suppressions'],
      replies: ['calls', 'draft', 'replies'],
      reports: ['activity', 'events', 'reports'],
    }).map(([name, resources]) => [name, ({ procedure }: Named) => resources.includes(procedure.split('.')[0] ?? '')]),
  ),
};

export const TOOL_SETS: readonly string[] = Object.keys(SETS);

/** True for an operation in one of the sets. */
export const isInSets = (named: Named, sets: readonly string[]): boolean => sets.some((set) => SETS[set]?.(named));

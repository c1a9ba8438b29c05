import { stateColor } from './states.ts';

/** The look of a field's column. */
interface ColumnLook {
  heading: string;
  /** On a narrow terminal, columns with the highest rank are left out first. */
  rank: number;
  /** True if its texts may be truncated. */
  canShrink: boolean;
  isTime: boolean;
  isAddress: boolean;
  /** True if its cells are right-aligned. */
  isNumber(rows: readonly object[]): boolean;
  /** Returns the colour of a cell. */
  colorOf(text: string): 'green' | 'yellow' | 'red' | 'gray' | 'cyan' | undefined;
}

const STATES = new Set(['status', 'state', 'account_status', 'outcome']);
const TIMES = /(^at|_at|^until|^timestamp)$/;
/** Fields that identify a record, or that a list is mostly read for. They are left out last. */
const NAMES = new Set([
  'id',
  'name',
  'email',
  'from',
  'account_email',
  'subject',
  'url',
  'status',
  'state',
  'snippet',
  'contact_id',
  'recipient',
  'campaign_name',
  'next_send_at',
  'why',
  'phone',
]);
const ADDRESSES = new Set(['email', 'from', 'recipient', 'account_email']);
/** Fields that are seldom read in a list. They are left out first. */
const DETAILS = new Set([
  ...[
    'created_at',
    'updated_at',
    'is_archived',
    'is_shared_to_all',
    'is_default',
    'workspace_id',
    'workspace_name',
    'pending_invite',
    'disabled',
    'timezone',
  ],
  ...[
    'may_ask_to_be_removed',
    'subject_b',
    'attachments',
    'signature',
    'ip',
    'machine_opened',
    'auto_replied',
    'tags',
    'uid',
    'attempt',
    'attempts',
  ],
  ...['field_type', 'revoked_at', 'expires_at', 'prefix', 'account_id', 'reasons', 'is_leaving', 'starts_at'],
]);
/** Fields whose texts mean nothing when truncated. */
const UNCUT = new Set(['id', 'contact_id', 'campaign_id', 'status', 'state', 'account_status', 'role', 'step_order', 'variant', 'code']);

/** Headings that differ from the name of the field. */
const HEADINGS: Readonly<Record<string, string>> = {
  account_email: 'ACCOUNT',
  at: 'TIME',
  bounce_rate: 'BOUNCED',
  campaign_name: 'CAMPAIGN',
  contact_id: 'CONTACT',
  campaign_id: 'CAMPAIGN',
  consecutive_failures: 'FAILURES',
  every_seconds: 'EVERY',
  is_shared_to_all: 'SHARED',
  last_polled_at: 'POLLED',
  limit_today: 'LIMIT',
  may_ask_to_be_removed: 'REMOVE?',
  pause_reason: 'PAUSED BY',
  pending_invite: 'INVITED',
  current_step: 'STEP',
  step_order: 'STEP',
  transmitting_at: 'SENT',
  workspace_name: 'WORKSPACE',
};

const looks = new Map<string, ColumnLook>();

/** Returns the look of a field's column. It depends only on the name, so that it is the same in every table. */
export function columnOf(name: string): ColumnLook {
  const known = looks.get(name) ?? lookOf(name);
  looks.set(name, known);
  return known;
}

function lookOf(name: string): ColumnLook {
  const isTime = TIMES.test(name);
  const words = name
    .replace(/^is_/, '')
    .replace(/(?<=.)_at$/, '')
    .replace(/(?<=.)_count$/, 's')
    .replaceAll('_', ' ');
  return {
    heading: HEADINGS[name] ?? words.toUpperCase(),
    rank: NAMES.has(name) ? 0 : DETAILS.has(name) ? 2 : 1,
    canShrink: !isTime && !UNCUT.has(name),
    isTime,
    isAddress: ADDRESSES.has(name),
    isNumber: (rows) => !/(^|_)id$/.test(name) && rows.some((row) => typeof (row as Record<string, unknown>)[name] === 'number'),
    colorOf: (text) => (STATES.has(name) ? stateColor(text.replace(/^\W+ /, '')) : undefined),
  };
}

/** True for a field with the state of a record, which is shown with a sign and a colour. */
export const isState = (name: string): boolean => STATES.has(name);

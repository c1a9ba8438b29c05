/** The views of the dashboard, in the order of their keys. */
export const VIEWS = [
  { name: 'campaigns', title: 'Campaigns' },
  { name: 'accounts', title: 'Accounts' },
  { name: 'events', title: 'Events' },
  { name: 'replies', title: 'Replies' },
  { name: 'calls', title: 'Calls' },
  { name: 'calendar', title: 'Calendar' },
] as const;

export type View = (typeof VIEWS)[number]['name'];

/** The views whose rows the daemon streams. */
export type TableView = Exclude<View, 'replies' | 'calendar'>;

export const isTable = (view: View): view is TableView => view !== 'replies' && view !== 'calendar';

/** Keys of each view and their effect, for the footer and the help. */
export const KEYS: Record<
  View | 'campaign' | 'reply' | 'choice' | 'person' | 'account',
  readonly (readonly [key: string, does: string])[]
> = {
  campaigns: [
    ['⏎', 'open'],
    ['p', 'pause'],
    ['r', 'resume'],
  ],
  accounts: [
    ['⏎', 'open'],
    ['p', 'pause'],
    ['r', 'resume'],
  ],
  events: [
    ['⏎', 'person'],
    ['c', 'campaign'],
  ],
  replies: [
    ['⏎', 'read'],
    ['a', 'answer'],
    ['l', 'label'],
    ['f', 'show'],
  ],
  calls: [
    ['d', 'done'],
    ['s', 'skip'],
    ['⏎', 'person'],
  ],
  calendar: [],
  reply: [
    ['a', 'answer'],
    ['l', 'label'],
    ['⏎', 'person'],
    ['esc', 'back'],
  ],
  choice: [
    ['⏎', 'choose'],
    ['esc', 'back'],
  ],
  person: [['esc', 'back']],
  account: [
    ['p', 'pause'],
    ['r', 'resume'],
    ['esc', 'back'],
  ],
  campaign: [
    ['p', 'pause'],
    ['r', 'resume'],
    ['o', 'set'],
    ['esc', 'back'],
  ],
};

/** Keys of replies that only the help page has room for. */
export const MORE_REPLY_KEYS: readonly (readonly [key: string, does: string])[] = [
  ['i', 'assign'],
  ['m', 'mark as read or unread'],
  ['c', 'correct the kind'],
  ['s x', 'send or discard a drafted answer'],
  ['[ ]', 'previous, next reply'],
  ['u', 'suppress the sender'],
  ['y n', 'confirm or dismiss a request to be removed'],
];

export const GLOBAL_KEYS: readonly (readonly [key: string, does: string])[] = [
  [`1–${VIEWS.length}`, 'views'],
  ['↑↓', 'move'],
  ['/', 'filter'],
  ['?', 'help'],
  ['q', 'quit'],
];

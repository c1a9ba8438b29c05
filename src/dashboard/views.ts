/** The views of the dashboard, in the order of their keys. */
export const VIEWS = [
  { name: 'campaigns', title: 'Campaigns' },
  { name: 'accounts', title: 'Accounts' },
  { name: 'events', title: 'Events' },
  { name: 'replies', title: 'Replies' },
  { name: 'calls', title: 'Calls' },
] as const;

export type View = (typeof VIEWS)[number]['name'];

/** Keys of each view and their effect, for the footer and the help. */
export const KEYS: Record<View | 'campaign', readonly (readonly [key: string, does: string])[]> = {
  campaigns: [
    ['⏎', 'open'],
    ['p', 'pause'],
    ['r', 'resume'],
  ],
  accounts: [
    ['p', 'pause'],
    ['r', 'resume'],
  ],
  events: [['⏎', 'campaign']],
  replies: [['⏎', 'campaign']],
  calls: [
    ['d', 'done'],
    ['s', 'skip'],
    ['⏎', 'campaign'],
  ],
  campaign: [
    ['p', 'pause'],
    ['r', 'resume'],
    ['esc', 'back'],
  ],
};

export const EVERYWHERE: readonly (readonly [key: string, does: string])[] = [
  ['1–5', 'views'],
  ['↑↓', 'move'],
  ['/', 'filter'],
  ['?', 'help'],
  ['q', 'quit'],
];

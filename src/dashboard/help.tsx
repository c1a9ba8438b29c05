import { Box } from 'ink';
import type { ReactElement } from 'react';
import { wrapped } from './reply-lines.ts';
import { Text } from './text.tsx';
import { GLOBAL_KEYS, KEYS, MORE_REPLY_KEYS, VIEWS } from './views.ts';

/** A notice may end with the path of a file, which must be readable in full. */
const MAX_NOTICE_LINES = 3;
export const noticeLines = (notice: string | null, width: number): number =>
  notice === null ? 1 : Math.min(MAX_NOTICE_LINES, wrapped(notice, width).length);

/** The keys of the current view, or a notice, on the last line. */
export function Footer({ view, width, notice }: { view: keyof typeof KEYS; width: number; notice: string | null }): ReactElement {
  // The page of a single record and the calendar have no rows to filter.
  const hasRows = view !== 'calendar' && VIEWS.some(({ name }) => name === view);
  const keys = [...KEYS[view], ...GLOBAL_KEYS.filter(([key]) => hasRows || key !== '/')];
  return (
    <Box width={width} height={noticeLines(notice, width)} flexShrink={0} overflow="hidden">
      {notice !== null ? (
        <Text wrap="wrap" bold>
          {notice}
        </Text>
      ) : (
        <Text wrap="truncate" dimColor>
          {keys.map(([key, does]) => `${key} ${does}`).join('  ')}
        </Text>
      )}
    </Box>
  );
}

type Keys = readonly (readonly [key: string, does: string])[];

/** Returns the keys of every view, short enough for a terminal of 24 lines: views with the same keys share a line. */
function sections(): [title: string, keys: Keys][] {
  const views = VIEWS.map(({ name, title }): [string, Keys] => [
    title.toLowerCase(),
    name === 'replies' ? [...KEYS[name], ...MORE_REPLY_KEYS] : KEYS[name],
  ]);
  const alike = Map.groupBy(
    views.filter(([, keys]) => keys.length > 0),
    ([, keys]) => JSON.stringify(keys),
  );
  return [
    ['everywhere', [...GLOBAL_KEYS, ['tab', 'next view'], ['pgup pgdn home end', 'move further'], ['esc', 'back, clear the filter']]],
    ...[...alike.values()].map((group): [string, Keys] => [group.map(([title]) => title).join(', '), group[0]?.[1] ?? []]),
    ['an opened reply', [...KEYS.reply.filter(([key]) => key === '⏎' || key === 'esc'), ['others', 'as in the list']]],
    ['an opened campaign', KEYS.campaign],
  ];
}

/** Every key of every view. */
export function Help({ height }: { height: number }): ReactElement {
  return (
    <Box flexDirection="column" height={height} overflow="hidden" paddingX={2}>
      <Text bold>Keys</Text>
      {sections().map(([title, keys]) => (
        <Box key={title} flexShrink={0}>
          <Box width={20} flexShrink={0}>
            <Text dimColor>{title}</Text>
          </Box>
          <Box flexWrap="wrap" columnGap={3}>
            {keys.map(([key, does]) => (
              <Box key={key} flexShrink={0}>
                <Text>{`${key} ${does}`}</Text>
              </Box>
            ))}
          </Box>
        </Box>
      ))}
      <Box height={1} />
      <Text dimColor>
        Changes of campaigns, accounts and calls ask first. All changes need a key that permits them. Times are UTC. Press any key to close.
      </Text>
    </Box>
  );
}

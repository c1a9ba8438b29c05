import { Box } from 'ink';
import type { ReactElement } from 'react';
import { Text } from './text.tsx';
import { EVERYWHERE, KEYS, VIEWS, type View } from './views.ts';

/** The keys of the current view, or a notice, on the last line. */
export function Footer({ view, width, notice }: { view: View | 'campaign'; width: number; notice: string | null }): ReactElement {
  const keys = [...KEYS[view], ...EVERYWHERE];
  return (
    <Box width={width} height={1} flexShrink={0}>
      {notice !== null ? (
        <Text wrap="truncate" bold>
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

/** Every key of every view. */
export function Help({ height }: { height: number }): ReactElement {
  const sections = [
    [
      'everywhere',
      [...EVERYWHERE, ['tab', 'next view'], ['pgup pgdn home end', 'move further'], ['esc', 'back, clear the filter']],
    ] as const,
    ...VIEWS.map(({ name, title }) => [title.toLowerCase(), KEYS[name]] as const),
    ['an opened campaign', KEYS.campaign] as const,
  ];
  return (
    <Box flexDirection="column" height={height} overflow="hidden" paddingX={2}>
      <Text bold>Keys</Text>
      {sections.map(([title, keys]) => (
        <Box key={title}>
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
      <Text dimColor>Changes need confirmation and a key that permits them. Times are UTC. Press any key to close.</Text>
    </Box>
  );
}

import { Box } from 'ink';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { COUNTED_REPLIES } from '../client/pages.ts';
import { grouped } from '../core/english.ts';
import { messageOf } from '../core/errors.ts';
import { clockTime } from '../terminal/format.ts';
import { localText } from '../terminal/local-text.ts';
import { namedAddress } from '../terminal/named-address.ts';
import { shownLine } from '../terminal/text-width.ts';
import type { Api } from './connection.ts';
import { type ReplyBook, type ReplyDetails, type ReplyLine, type ReplyPages, replyAt } from './reply-book.ts';
import { replyLines } from './reply-lines.ts';
import type { RepliesUi } from './reply-ui.ts';
import { firstLine, firstVisible, positionText } from './scroll.ts';
import { type Column, Table } from './table.tsx';
import { Text } from './text.tsx';

interface ReplyViewProps {
  ui: RepliesUi;
  pages: ReplyPages;
  book: ReplyBook;
  api: Api;
  width: number;
  height: number;
  now: string;
}

/** The replies: the list, unread ones first; the opened one with its thread; or a menu about one. */
export function ReplyView(props: ReplyViewProps): ReactElement {
  const { ui, width, height } = props;
  if (ui.mode.kind === 'choose') return <Choice mode={ui.mode} width={width} height={height} />;
  return ui.open === null ? <ReplyList {...props} /> : <ReplyPage {...props} reply={ui.open} />;
}

/** Formats a number of replies; in a search, a number beyond the counted ones gets a plus sign. */
const counted = (count: number, { filter }: RepliesUi): string =>
  `${grouped(count)}${filter.q !== undefined && count > COUNTED_REPLIES ? '+' : ''}`;

const LOADING = { from: '…' } as ReplyLine;

function ReplyList({ ui, pages, book, width, height, now }: ReplyViewProps): ReactElement {
  const visible = Math.max(1, height - 2);
  const first = firstVisible(ui.index, pages.total, visible);
  useEffect(() => book.look(first, visible), [book, first, visible]);
  const shown = Array.from({ length: Math.max(0, Math.min(visible, pages.total - first)) }, (_, line) => ({
    ...(replyAt(pages, first + line) ?? LOADING),
    id: first + line,
  }));
  const words = Object.values(ui.words);
  const heading = `${counted(pages.unread, ui)} unread of ${counted(pages.total, ui)}`;
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      <Text wrap="truncate" dimColor={words.length === 0}>
        {pages.problem === null
          ? `${pages.isLoaded ? heading : 'loading …'}${words.length === 0 ? '' : `   ${words.join(', ')}   (esc shows all)`}`
          : `can't load: ${shownLine(pages.problem)}`}
      </Text>
      <Table
        rows={shown}
        columns={COLUMNS}
        selected={ui.index}
        width={width}
        height={height - 1}
        now={now}
        empty={pages.isLoaded ? 'No replies.' : ''}
      />
    </Box>
  );
}

const COLUMNS: readonly Column<ReplyLine>[] = [
  { title: '', width: 1, text: (row) => (row.is_read === false ? '●' : ''), color: () => 'green' },
  { title: 'Time (UTC)', width: 11, text: (row, now) => (row.received_at === undefined ? '' : clockTime(row.received_at, now)) },
  { title: 'From', width: 30, least: 14, text: (row) => row.from_name || row.from },
  {
    title: 'Label',
    width: 14,
    text: (row) =>
      (row.may_ask_to_be_removed ? 'remove? y/n' : undefined) ??
      (row.label ?? (row.kind === 'reply' ? '' : (row.kind ?? ''))).replaceAll('_', ' '),
  },
  { title: 'Subject', width: 26, rank: 2, text: (row) => row.subject ?? '' },
  { title: 'Reply', width: 'grow', text: (row) => `${row.has_draft ? '✎ ' : ''}${row.answered_at ? '↩ ' : ''}${row.snippet ?? ''}` },
];

/** Loads the opened reply, and again after each change. */
function useReply(api: Api, { id }: ReplyLine, pages: ReplyPages): { reply: ReplyDetails | null; problem: string | null } {
  const [known, setKnown] = useState<{ reply: ReplyDetails | null; problem: string | null }>({ reply: null, problem: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages change with every refresh of the list
  useEffect(() => {
    let isWanted = true;
    api.replies.get.query({ id }).then(
      (reply) => isWanted && setKnown({ reply, problem: null }),
      (error: unknown) => isWanted && setKnown((before) => ({ ...before, problem: messageOf(error) })),
    );
    return () => {
      isWanted = false;
    };
  }, [api, id, pages]);
  return known.reply?.id === id ? known : { ...known, reply: null };
}

const HEADER_LINES = 4;

function ReplyPage({ ui, api, pages, reply: line, width, height }: ReplyViewProps & { reply: ReplyLine }): ReactElement {
  const { reply, problem } = useReply(api, line, pages);
  const lines = useMemo(() => (reply === null ? [] : replyLines(reply, width)), [reply, width]);
  const room = Math.max(1, height - HEADER_LINES);
  const first = firstLine(ui.scroll, lines.length, room);
  const shown = reply ?? line;
  const notes = [
    ...[
      shown.kind.replaceAll('_', ' '),
      shown.label === null ? 'no label' : `label ${shownLine(shown.label.replaceAll('_', ' '))}`,
      shown.is_read ? 'read' : 'unread',
    ],
    ...(shown.may_ask_to_be_removed ? ['may ask to be removed: y yes, n no'] : []),
    ...(shown.has_draft ? ['answer drafted: s sends, a edits, x discards'] : []),
    ...(shown.assigned_to === null ? [] : [`assigned to user ${shown.assigned_to}`]),
    ...(shown.answered_at === null ? [] : [`answered ${localText(shown.answered_at, 'UTC')}`]),
  ];
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      <Text wrap="truncate" bold>
        {namedAddress(shownLine(shown.from_name), shownLine(shown.from))}
      </Text>
      <Text wrap="truncate" bold>
        {shownLine(shown.subject)}
      </Text>
      <Text wrap="truncate" dimColor>{`${localText(shown.received_at, 'UTC')}  ${notes.join('  ')}`}</Text>
      <Text wrap="truncate" dimColor>
        {problem !== null ? `can't load: ${shownLine(problem)}` : positionText(first, lines.length, room)}
      </Text>
      {lines.slice(first, first + room).map(({ text, isHeading = false }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
        <Text key={index} wrap="truncate" dimColor={isHeading}>
          {text === '' ? ' ' : text}
        </Text>
      ))}
    </Box>
  );
}

function Choice({
  mode: { title, options, index },
  width,
  height,
}: {
  mode: Extract<RepliesUi['mode'], { kind: 'choose' }>;
  width: number;
  height: number;
}): ReactElement {
  const rows = options.map((option, id) => ({ id, title: option.title }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: `${title}:  ⏎ chooses, esc goes back`, width: 'grow', text: (row) => row.title },
  ];
  return <Table rows={rows} columns={columns} selected={index} width={width} height={height} now="" empty="" />;
}

import { Box } from 'ink';
import { memo, type ReactElement } from 'react';
import { oneLine } from './format.ts';
import { Text } from './text.tsx';

export interface Column<Row> {
  title: string;
  /** Terminal columns; columns with `grow` share the rest. */
  width: number | 'grow';
  isRight?: boolean;
  /** Hidden on narrower terminals. */
  from?: number;
  text(row: Row, now: string): string;
  color?(row: Row): string | undefined;
}

interface TableProps<Row extends { id: number }> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  selected: number | null;
  width: number;
  /** Lines, including the heading. */
  height: number;
  now: string;
  /** Shown if there are no rows. */
  empty: string;
}

/** A table scrolled to its selected row. Redraws only rows that changed. */
export function Table<Row extends { id: number }>({ rows, columns, selected, width, height, now, empty }: TableProps<Row>): ReactElement {
  const shown = columns.filter((column) => width >= (column.from ?? 0));
  const visible = Math.max(1, height - 1);
  const first = firstShown(rows, selected, visible);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Line cells={shown.map((column) => ({ column, text: column.title }))} isHeading width={width} />
      {rows.length === 0 && <Text dimColor> {empty}</Text>}
      {rows.slice(first, first + visible).map((row) => (
        <Line
          key={row.id}
          isSelected={row.id === selected}
          width={width}
          cells={shown.map((column) => ({ column, text: oneLine(column.text(row, now)), color: column.color?.(row) }))}
        />
      ))}
    </Box>
  );
}

/** Index of the first visible row: the selected one is in the middle if not all rows fit. */
function firstShown(rows: readonly { id: number }[], selected: number | null, visible: number): number {
  const index = rows.findIndex((row) => row.id === selected);
  return Math.max(0, Math.min(index - Math.floor(visible / 2), rows.length - visible));
}

interface Cell {
  column: { width: number | 'grow'; isRight?: boolean };
  text: string;
  color?: string | undefined;
}

interface LineProps {
  cells: readonly Cell[];
  width: number;
  isHeading?: boolean;
  isSelected?: boolean;
}

const sameLine = (a: LineProps, b: LineProps) =>
  a.width === b.width &&
  a.isSelected === b.isSelected &&
  a.cells.length === b.cells.length &&
  a.cells.every((cell, index) => cell.text === b.cells[index]?.text && cell.color === b.cells[index]?.color);

const Line = memo(function Line({ cells, width, isHeading = false, isSelected = false }: LineProps) {
  return (
    <Box width={width} height={1} flexShrink={0}>
      <Text bold={isSelected}>{isSelected ? '▸' : ' '}</Text>
      {cells.map((cell, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: cells never change their place
          key={index}
          {...(cell.column.width === 'grow' ? { flexGrow: 1, flexBasis: 0 } : { width: cell.column.width, flexShrink: 0 })}
          justifyContent={cell.column.isRight ? 'flex-end' : 'flex-start'}
          marginRight={1}
          overflow="hidden"
        >
          <Text
            wrap="truncate"
            dimColor={isHeading}
            bold={isSelected}
            inverse={isSelected && index === 0}
            {...(cell.color ? { color: cell.color } : {})}
          >
            {cell.text}
          </Text>
        </Box>
      ))}
    </Box>
  );
}, sameLine);

import { Box } from 'ink';
import { memo, type ReactElement } from 'react';
import { type ColumnSize, fitColumns } from '../terminal/fit-columns.ts';
import { shownLine, textWidth } from '../terminal/text-width.ts';
import { firstVisible } from './scroll.ts';
import { Text } from './text.tsx';

export interface Column<Row> {
  title: string;
  /** Maximum width of its texts in terminal columns; columns with `grow` share the rest. */
  width: number | 'grow';
  /** The width to which its texts may be cut on a narrow terminal; by default, only columns with `grow` are cut. */
  least?: number;
  isRight?: boolean;
  /** Order in which columns are dropped on a narrow terminal, highest first; 0 by default. */
  rank?: number;
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
  const visible = Math.max(1, height - 1);
  const first = firstVisible(
    rows.findIndex(({ id }) => id === selected),
    rows.length,
    visible,
  );
  const seen = rows.slice(first, first + visible);
  // One column for the mark of the selected row.
  const widths = fitColumns(
    columns.map((column) => sizeOf(column, seen, now, width)),
    width - 1,
    1,
  );
  const shown = columns.flatMap((column, index) => (widths[index] == null ? [] : [{ ...column, width: widths[index] }]));
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Line cells={shown.map((column) => ({ column, text: column.title }))} isHeading width={width} />
      {rows.length === 0 && <Text dimColor> {empty}</Text>}
      {seen.map((row) => (
        <Line
          key={row.id}
          isSelected={row.id === selected}
          width={width}
          cells={shown.map((column) => ({ column, text: shownLine(column.text(row, now)), color: column.color?.(row) }))}
        />
      ))}
    </Box>
  );
}

/** The width to which columns with `grow` may be cut. */
const MIN_GROWING_WIDTH = 14;

/** Returns the size of a column. Its natural width is that of its visible texts, so that an empty column takes no room from the others. */
function sizeOf<Row>({ title, width, least, rank = 0, text }: Column<Row>, rows: readonly Row[], now: string, all: number): ColumnSize {
  if (width === 'grow') return { natural: all, least: least ?? MIN_GROWING_WIDTH, rank };
  const longest = rows.reduce((most, row) => Math.max(most, textWidth(shownLine(text(row, now)))), textWidth(title));
  const natural = Math.min(width, longest);
  return { natural, least: least ?? natural, rank };
}

interface Cell {
  column: { width: number; isRight?: boolean };
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
  a.cells.every(
    (cell, index) =>
      cell.text === b.cells[index]?.text && cell.color === b.cells[index]?.color && cell.column.width === b.cells[index]?.column.width,
  );

const Line = memo(function Line({ cells, width, isHeading = false, isSelected = false }: LineProps) {
  return (
    <Box width={width} height={1} flexShrink={0}>
      <Text bold={isSelected}>{isSelected ? '▸' : ' '}</Text>
      {cells.map((cell, index) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: cells never change their place
          key={index}
          width={cell.column.width}
          flexShrink={0}
          justifyContent={cell.column.isRight ? 'flex-end' : 'flex-start'}
          marginRight={index === cells.length - 1 ? 0 : 1}
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

import { Box, Text } from 'ink';
import { memo, type ReactElement } from 'react';
import { oneLine } from './format.ts';

export interface Column<Row> {
  title: string;
  /** Columns of the terminal; `grow` shares what is left. */
  width: number | 'grow';
  isRight?: boolean;
  /** Left out on terminals narrower than this. */
  from?: number;
  text(row: Row, now: string): string;
  color?(row: Row): string | undefined;
}

interface TableProps<Row extends { id: number }> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  selected: number | null;
  width: number;
  /** Lines, the heading among them. */
  height: number;
  now: string;
  /** What to say where there are no rows. */
  empty: string;
}

/** A table that shows the part of its rows around the selected one. Draws only rows that changed. */
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

/** Keeps the selected row in the middle where there is more than fits. */
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

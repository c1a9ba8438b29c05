import { Text as InkText, type TextProps } from 'ink';
import { Children, type ReactElement } from 'react';
import { terminalText } from '../core/terminal-text.ts';

/** Ink's Text, whose own escape sequences are those of its props alone: the dashboard shows what strangers wrote. */
export function Text({ children, ...style }: TextProps): ReactElement {
  return <InkText {...style}>{Children.map(children, (child) => (typeof child === 'string' ? terminalText(child) : child))}</InkText>;
}

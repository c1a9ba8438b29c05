import { Text as InkText, type TextProps } from 'ink';
import { Children, type ReactElement } from 'react';
import { terminalText } from '../core/terminal-text.ts';

/** Ink's Text, with escape sequences removed from its content: the dashboard shows text from strangers. */
export function Text({ children, ...style }: TextProps): ReactElement {
  return <InkText {...style}>{Children.map(children, (child) => (typeof child === 'string' ? terminalText(child) : child))}</InkText>;
}

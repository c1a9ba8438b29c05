import { type Caller, getWorkspaceFooter, setWorkspace, type WorkspaceFooter, type WorkspaceRow } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { invalid } from '../../core/errors.ts';
import type { Queryable } from '../../db/statement.ts';
import { checkAuthorHtml } from '../../html/author-html.ts';
import { alwaysContains } from './choose.ts';
import { unknownKeys } from './known-keys.ts';
import { findPlaceholders, namePlaceholders, OPT_OUT } from './placeholders.ts';

const MAX_BYTES = 64 * 1024;

/**
 * Changes settings of the caller's workspace as `setWorkspace` does. Also throws `invalid_request` for a footer without an
 * unsubscribe link or with an unknown placeholder, which would hold every email of the workspace.
 */
export async function changeWorkspace(
  app: App,
  caller: Caller,
  settings: Parameters<typeof setWorkspace>[2],
): Promise<WorkspaceRow & WorkspaceFooter> {
  if (settings.footer_html != null) await checkFooter(app.db, caller, settings.footer_html);
  const workspace = await setWorkspace(app, caller, settings);
  return { ...workspace, ...(await getWorkspaceFooter(app.db, caller)) };
}

async function checkFooter(db: Queryable, caller: Caller, html: string): Promise<void> {
  if (Buffer.byteLength(html) > MAX_BYTES) throw invalid('footer: at most 64 KiB of UTF-8');
  if (html.includes('\0')) throw invalid('footer: must not contain NUL');
  checkAuthorHtml('footer', html);
  const keys = findPlaceholders(html);
  const optsOut = (key: string) => key === OPT_OUT;
  if (keys.some(optsOut) && !alwaysContains(html, optsOut))
    throw invalid(`footer: must always contain {{${OPT_OUT}}}; take it out of the choice or condition, or put it into each text of it`);
  if (!keys.includes(OPT_OUT)) throw invalid(`footer: must contain {{${OPT_OUT}}}, for example <a href="{{${OPT_OUT}}}">Unsubscribe</a>`);
  const [unknown] = await unknownKeys(db, caller, keys);
  if (unknown !== undefined) throw invalid(`footer: there is no field ${namePlaceholders([unknown])}`);
}

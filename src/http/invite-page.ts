import { Router } from 'express';
import { acceptInvitation, findInvitation, type Invitation } from '../access/index.ts';
import type { App } from '../app.ts';
import { clientAddress } from '../core/client-address.ts';
import { escapeHtml, htmlPage } from '../html/page.ts';
import { sendPage } from './send-page.ts';

const TOKEN = '/:token';

/**
 * Serves the pages of an invitation. Opening the link changes nothing, because mail scanners follow links; the button accepts the
 * invitation. The token alone proves the invitation, so there is no cookie that another site could misuse.
 */
export function inviteRoutes(app: App): Router {
  const routes = Router();
  routes.get(TOKEN, async (req, res) => {
    const invitation = await findInvitation(app, req.params.token);
    if (invitation === undefined) sendPage(res, 404, EXPIRED);
    else sendPage(res, 200, invitationPage(invitation));
  });
  routes.post(TOKEN, async (req, res) => {
    const accepted = await acceptInvitation(app, req.params.token, clientAddress(req.ip));
    if (accepted === undefined) sendPage(res, 404, EXPIRED);
    else sendPage(res, 200, keyPage(accepted, app.config.baseUrl));
  });
  return routes;
}

const EXPIRED = htmlPage(
  'This invitation is no longer valid',
  '<p>It was already used, was replaced by a newer one, or has expired. Ask the person who invited you for a new one.</p>',
);

const ROLE_WORDS = { admin: 'an admin', manager: 'a manager', view_only: 'a viewer' } as const;

const invitationPage = ({ name, email, role, workspace }: Invitation) =>
  htmlPage(
    'Accept your invitation',
    `<p>${escapeHtml(name)} (${escapeHtml(email)}), you have been invited to the workspace <strong>${escapeHtml(workspace)}</strong> as ${ROLE_WORDS[role]}.</p>
<p>Accepting creates your first API key. It is shown only once, on the next page.</p>
<form method="post"><button type="submit">Accept and show my key</button></form>`,
  );

const keyPage = ({ key, workspace }: { key: string; workspace: string }, baseUrl: string) =>
  htmlPage(
    'Your API key',
    `<p id="what">This key acts as you in the workspace <strong>${escapeHtml(workspace)}</strong>. Copy it now: it can't be shown again.</p>
<code tabindex="0" aria-label="API key" aria-describedby="what">${escapeHtml(key)}</code>
<p>At a terminal where Outreach is installed, log in with it and open the dashboard. The command asks for the key:</p>
<code tabindex="0" aria-label="Log in">outreach login ${escapeHtml(baseUrl)}
outreach dashboard</code>
<p>The commands then work here with your rights: <a href="${escapeHtml(baseUrl)}/docs">what programs can do</a>. A program sends the key with every request:</p>
<code tabindex="0" aria-label="Example">curl -H "Authorization: Bearer ${escapeHtml(key)}" ${escapeHtml(baseUrl)}/api/v1/me</code>`,
  );

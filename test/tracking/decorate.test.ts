import { describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { createSealer } from '../../src/secrets/seal.ts';
import { decorateEmail } from '../../src/tracking/index.ts';

const sealer = createSealer('dGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQ');
const appAt = (publicUrl: string | null) => ({ sealer, config: { publicUrl } }) as unknown as App;
const HTML = '<p><a href="https://example.org/">offer</a></p>';
const REF = 'abcdefghijklmnopqrstuvwxyz';
const mail = {
  ...{ outboxId: 7, html: HTML, optOutAddress: 'me@example.com', reference: REF },
  ...{ trackOpens: true, trackClicks: true, trackingHost: null },
};

describe('What a mail is given', () => {
  it("links, the image and the one-click header, at the installation's address", () => {
    const { html, headers } = decorateEmail(appAt('https://outreach.example'), mail);
    expect(html).toMatch(/<a href="https:\/\/outreach\.example\/c\/7\/[\w-]{22}\/[\w-]+">/);
    expect(html).toMatch(/<img src="https:\/\/outreach\.example\/o\/7\/[\w-]{22}"/);
    expect(headers['List-Unsubscribe']).toMatch(
      /^<https:\/\/outreach\.example\/u\/7\/[\w-]{22}>, <mailto:me@example\.com\?subject=unsubscribe-abcdefghijklmnopqrstuvwxyz>$/,
    );
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  });

  it("everything at the account's own host where it has one", () => {
    const { html, headers } = decorateEmail(appAt('https://outreach.example'), { ...mail, trackingHost: 'https://links.example.com' });
    expect(`${html}${headers['List-Unsubscribe']}`).not.toContain('outreach.example');
    expect(html.match(/https:\/\/links\.example\.com\/[co]\//g)).toHaveLength(2);
  });

  it('nothing but the way out where the campaign is not tracked', () => {
    const { html, headers } = decorateEmail(appAt('https://outreach.example'), { ...mail, trackOpens: false, trackClicks: false });
    expect(html).toBe(HTML);
    expect(headers['List-Unsubscribe']).toContain('https://outreach.example/u/7/');
  });

  it('its way out by mail as a URL in ASCII, whatever the address (RFC 6068 §2)', () => {
    const { headers } = decorateEmail(appAt(null), { ...mail, optOutAddress: 'zoë?b@bücher.example' });
    expect(headers['List-Unsubscribe']).toBe('<mailto:zo%C3%AB%3Fb@xn--bcher-kva.example?subject=unsubscribe-abcdefghijklmnopqrstuvwxyz>');
  });

  it('no link of ours without a public address, and no one-click over http (RFC 8058 §3.1)', () => {
    expect(decorateEmail(appAt(null), mail)).toEqual({
      html: HTML,
      headers: { 'List-Unsubscribe': `<mailto:me@example.com?subject=unsubscribe-${REF}>` },
    });
    expect(decorateEmail(appAt('http://outreach.example'), mail).headers).not.toHaveProperty('List-Unsubscribe-Post');
  });
});

import { expect, it } from 'vitest';
import { isPublicDomain } from '../../src/contacts/public-domain.ts';

it.each([
  ...['gmail.com', 'GMX.de', 'web.de', 't-online.de', 'yahoo.co.uk', 'hotmail.fr', 'qq.com', 'mail.ru', 'free.fr', 'orange.fr', 'pm.me'],
  ...['tuta.com', 'proton.ch', 'outlook.com.ar', 'gmx.info', 'privaterelay.appleid.com'],
  ...[
    'gmx.ch',
    'hotmail.se',
    'posteo.de',
    'fastmail.com',
    'zoznam.sk',
    'ziggo.nl',
    'biglobe.ne.jp',
    'indamail.hu',
    'duck.com',
    'online.no',
  ],
])('%s is the domain of a mailbox provider', (domain) => {
  expect(isPublicDomain(domain)).toBe(true);
});

it.each([
  'recipient.example',
  'example.com',
  'facebook.com',
  'bt.com',
  'free.com',
  'web.com',
  'mail.example',
  'me.example',
  'att.com',
  'orange.com',
  'gmail.com.example',
  'mail.gmail.com',
])('%s is not, whatever its first label is', (domain) => {
  expect(isPublicDomain(domain)).toBe(false);
});

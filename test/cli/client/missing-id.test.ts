import { expect, it } from 'vitest';
import { withId } from '../../../src/cli/client/missing-id.ts';

const none = { args: {}, flags: {} };

// "A numeric id that isn't found isn't named in errors."
it.each([
  ['campaign not found', { ...none, command: 'campaign:show', args: { campaign: '17' } }, 'campaign 17 not found'],
  ['contact not found', { command: 'campaign:preview', args: { campaign: '17' }, flags: { contact: '4' } }, 'contact 4 not found'],
  ['rotation group not found', { ...none, command: 'rotation:show', args: { rotation: '17' } }, 'rotation group 17 not found'],
  ['webhook not found', { ...none, command: 'webhook:show', args: { id: '3' } }, 'webhook 3 not found'],
  ['delivery not found', { ...none, command: 'webhook:replay', args: { delivery_id: '77' } }, 'delivery 77 not found'],
  ['account not found', { ...none, command: 'share:list', args: { kind: 'account', record: '3' } }, 'account 3 not found'],
  ['reply not found', { ...none, command: 'reply:label', args: { reply: ['31', 'interested'] } }, 'reply 31 not found'],
  // Without a single matching id the message stays unchanged.
  ['campaign not found', { ...none, command: 'webhook:show', args: { id: '3' } }, 'campaign not found'],
  ['account not found', { ...none, command: 'account:pause', args: { account: ['3', '4'] } }, 'account not found'],
  ['campaign not found', { ...none, command: 'campaign:show', args: { campaign: 'Spring' } }, 'campaign not found'],
  ['campaign "Spring" not found', { ...none, command: 'campaign:show', args: { campaign: '17' } }, 'campaign "Spring" not found'],
])('%s, of %j: %s', (message, given, said) => {
  expect(withId(message, given)).toBe(said);
});

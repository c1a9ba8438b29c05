import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import { returnReplies } from '../../src/replies/index.ts';
import { insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { refusal, servedInstallation } from '../support/served.ts';

const { app, api, clock } = await servedInstallation();

describe('"`reply later ID --until TIME` brings a reply back to the top"', () => {
  it('it is read and labelled until then; then unread and first, until somebody does something about it', async () => {
    const enrolment = await insertEnrolment(app, await insertCampaign(app, { name: 'Fair' }));
    const at = (days: number) => new Date(clock.now().getTime() + days * DAY);
    const old = await insertReply(app, enrolment, { own_text: 'Ask me in May', received_at: at(-30) });
    const recent = await insertReply(app, enrolment, { own_text: 'Hello', received_at: at(-1) });
    const order = async () => (await api.get('/replies')).body.data.map(({ id }: { id: number }) => id);
    expect(await order()).toEqual([recent, old]);

    expect(await api.patch(`/replies/${old}`, { later_until: at(-1).toISOString() })).toMatchObject(
      refusal(400, 'invalid_request', 'later_until: must be in the future'),
    );
    const put = await api.patch(`/replies/${old}`, { later_until: at(7).toISOString() });
    expect(put.body).toMatchObject({ is_read: true, label: 'later', has_returned: false, later_until: expect.any(String) });
    await returnReplies(app);
    expect(await order()).toEqual([recent, old]);

    clock.advance(8 * DAY);
    await returnReplies(app);
    expect(await order()).toEqual([old, recent]);
    expect((await api.get(`/replies/${old}`)).body).toMatchObject({ is_read: false, has_returned: true, later_until: null });
    await api.patch(`/replies/${old}`, { label: 'interested', is_read: true });
    expect(await order()).toEqual([recent, old]);
  });
});

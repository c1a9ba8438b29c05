import { messageOf } from '../core/errors.ts';
import type { Person } from './people.ts';

/** A client of the demo's daemon: the demo uses the API like any other program. Throws with the message of the daemon. */
export class DemoApi {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  get = <Answer>(path: string): Promise<Answer> => this.#call('GET', path);
  post = <Answer>(path: string, body: object = {}): Promise<Answer> => this.#call('POST', path, body);
  patch = <Answer>(path: string, body: object): Promise<Answer> => this.#call('PATCH', path, body);

  async #call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json().catch((error: unknown) => ({ error: { message: messageOf(error) } }))) as Answer & {
      error?: { message: string };
    };
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.error?.message ?? response.status}`);
    return answer;
  }
}

const STEPS = [
  {
    subject: 'An idea for {{company}}',
    subject_b: '{{name}}, a question',
    body_html:
      '<p>Hello {{name}},</p><p>we made <a href="https://www.example.com/tour">a short tour</a> for people at {{company}}.</p><p>Mia</p>',
    body_html_b: '<p>Hello {{name}},</p><p>would <a href="https://www.example.com/tour">this</a> be of use to you?</p><p>Mia</p>',
  },
  {
    body_html: '<p>Hello {{name}},</p><p>did you find the time to <a href="https://www.example.com/tour">have a look</a>?</p><p>Mia</p>',
    wait_days: 2,
  },
  {
    body_html:
      '<p>Hello {{name}},</p><p>this is my last email about it. <a href="https://www.example.com/prices">Prices are here.</a></p><p>Mia</p>',
    wait_days: 3,
  },
];

/**
 * Creates the contacts and a campaign of three steps, enrols everyone and activates it.
 * @returns the id of the campaign
 */
export async function startCampaign(api: DemoApi, accountId: number, people: readonly Person[]): Promise<number> {
  const list = await api.post<{ id: number }>('/lists', { name: 'Demo' });
  for (const { name, email, company } of people) await api.post('/contacts', { name, email, company, list_ids: [list.id] });
  const { id } = await api.post<{ id: number }>('/campaigns', { name: 'Demo: three steps', account_id: accountId });
  await api.patch(`/campaigns/${id}`, { ab_test_enabled: true });
  for (const step of STEPS) await api.post(`/campaigns/${id}/steps`, step);
  await api.post(`/campaigns/${id}/contacts`, { list_ids: [list.id] });
  await api.post(`/campaigns/${id}/activate`);
  return id;
}

import type { Response } from 'express';
import type { HtmlPage } from '../html/page.ts';

/** Sends a page with the headers that it needs. */
export function sendPage(res: Response, status: number, { headers, html }: HtmlPage): void {
  res.status(status).set(headers).send(html);
}

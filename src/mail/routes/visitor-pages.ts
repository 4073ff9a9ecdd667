import type { App, Ctx } from '../../kernel/http/context.ts';
import { html, page } from '../../kernel/http/page.ts';
import { prefersPage } from '../../kernel/http/problem-page.ts';
import type { Client } from '../clients.ts';
import { answerHeaders, noStore, type SendResult } from './answers.ts';

/** Notes the page of a form that a browser posts by navigation, so that pages about it can link back. */
export function noteFormPage(app: App, path: string, allows: (origin: string) => Promise<boolean>): void {
  app.use(path, async (c, next) => {
    if (prefersPage(c)) c.set('formPage', await formPage(c, allows));
    await next();
  });
}

/** Returns the page that `Referer` or `Origin` names; null = an origin of no client, to which nothing may link. */
async function formPage(c: Ctx, allows: (origin: string) => Promise<boolean>): Promise<string | null> {
  const url = URL.parse(c.req.header('Referer') ?? c.req.header('Origin') ?? '');
  return url && /^https?:$/.test(url.protocol) && (await allows(url.origin)) ? url.href : null;
}

/** Answers a form that was sent: JSON for programs, a page for browsers, or `redirectUrl` of the client. */
export function answerForm(c: Ctx, client: Client, result: SendResult): Response | Promise<Response> {
  if (!prefersPage(c)) return c.json(result.body, result.status, answerHeaders(result));
  return client.redirectUrl === null
    ? thanksPage(c.get('formPage') ?? null)
    : c.body(null, 303, { ...noStore, Location: client.redirectUrl });
}

function thanksPage(back: string | null): Promise<Response> {
  return page({
    title: 'Message sent',
    body: html`<h1>Message sent</h1>
<p role="status">Thank you. Your message is on its way.</p>
${back && html`<p><a class="button" href="${back}">Back to ${new URL(back).hostname}</a></p>`}`,
  });
}

import type { App, Ctx } from '../../kernel/http/context.ts';
import { languageOf } from '../../kernel/http/language.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { html, page } from '../../kernel/http/pages/page.ts';
import { prefersPage } from '../../kernel/http/pages/problem-page.ts';
import { inLanguages, type Language } from '../../kernel/language.ts';
import type { Client } from '../clients/clients.ts';
import type { SendResult } from '../sending/results.ts';
import { responseHeaders } from './responses.ts';

const english = {
  sent: 'Message sent',
  thanks: 'Thank you. Your message is on its way.',
  backTo: (host: string) => `Back to ${host}`,
};
const textsOf = inLanguages(english, {
  de: {
    sent: 'Nachricht gesendet',
    thanks: 'Danke. Ihre Nachricht ist unterwegs.',
    backTo: (host) => `Zurück zu ${host}`,
  },
});

/** Remembers the page of a form that a browser posts by navigation, so that the page with the result can link back. */
export function noteFormPage(app: App, path: string, allows: (origin: string) => Promise<boolean>): void {
  app.use(path, async (c, next) => {
    if (prefersPage(c)) c.set('formPage', await formPage(c, allows));
    await next();
  });
}

/** Returns the page that `Referer` or `Origin` names; null = its origin belongs to no client. */
async function formPage(c: Ctx, allows: (origin: string) => Promise<boolean>): Promise<string | null> {
  const url = URL.parse(c.req.header('Referer') ?? c.req.header('Origin') ?? '');
  return url && /^https?:$/.test(url.protocol) && (await allows(url.origin)) ? url.href : null;
}

/** Responds to a form that was sent: JSON for programs, a page for browsers, or `redirectUrl` of the client. */
export function answerForm(c: Ctx, client: Client, result: SendResult): Response | Promise<Response> {
  if (!prefersPage(c)) return c.json(result.body, result.status, responseHeaders(result));
  return client.redirectUrl === null
    ? thanksPage(languageOf(c), c.get('formPage') ?? null)
    : c.body(null, 303, { ...NO_STORE, Location: client.redirectUrl });
}

function thanksPage(language: Language, back: string | null): Promise<Response> {
  const texts = textsOf(language);
  return page({
    language,
    title: texts.sent,
    body: html`<h1>${texts.sent}</h1>
<p role="status">${texts.thanks}</p>
${back && html`<p><a class="button" href="${back}">${texts.backTo(new URL(back).hostname)}</a></p>`}`,
  });
}

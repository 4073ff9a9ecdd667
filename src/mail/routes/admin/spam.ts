import { z } from '@hono/zod-openapi';
import type { Guard } from '../../../identity/guard.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { readQuery } from '../../../kernel/http/body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint, pathId } from '../../../kernel/http/endpoint.ts';
import { notFound } from '../../../kernel/http/problem.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Outbox } from '../../../kernel/outbox/outbox.ts';
import type { Clients } from '../../clients.ts';
import type { ComposeContact } from '../../compose/contact.ts';
import type { Contents } from '../../contents.ts';
import type { Spam } from '../../spam.ts';
import { EMAIL_KIND } from '../../transports/smtp.ts';
import { emailRow } from '../email.ts';
import { ADMIN, READS } from './parts.ts';

const BASE = '/api/admin/mail/spam';

const listQuery = z.object({ limit: z.coerce.number().int().min(1).max(500).default(100) });
const spamShown = z
  .object({
    id: z.uuid(),
    clientId: z.uuid(),
    reason: z.string(),
    form: z.unknown().openapi({ description: 'What was filled in, and who did' }),
    dateCreated: z.iso.datetime(),
  })
  .openapi('SpamForm');

interface SpamRouteParts {
  database: Database;
  outbox: Outbox;
  clients: Clients;
  composeContact: ComposeContact;
  contents: Contents;
  spam: Spam;
  clock: Clock;
  /** The server has an SMTP server of its own. */
  configured: boolean;
  guard: Guard;
}

/** Contact forms that were taken for spam. */
export function mountSpam(
  app: App,
  { database, outbox, clients, composeContact, contents, spam, clock, configured, guard }: SpamRouteParts,
): void {
  endpoint(
    app,
    'get',
    BASE,
    {
      ...ADMIN,
      summary: 'Contact forms that look like spam',
      query: listQuery,
      answers: { 200: { description: 'Newest first.', schema: z.array(spamShown) } },
      problems: [...READS, 'invalid_request'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      return c.json(await spam.list(readQuery(c, listQuery).limit));
    },
  );

  endpoint(
    app,
    'post',
    `${BASE}/{id}/release`,
    {
      ...ADMIN,
      summary: 'Send a contact form after all',
      answers: { 202: { description: 'It is stored, and will be sent.', schema: z.object({ id: z.uuid() }) } },
      problems: [...READS, 'cross_site_request', 'not_found', 'service_not_allowed'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const kept = await spam.find(pathId(c, 'id'));
      const client = kept && (await clients.find(kept.clientId));
      if (!client) throw notFound();
      const mails = await composeContact(client, kept.form.request, kept.form.visitor);
      const id = newId();
      const sandbox = !client.has.smtp && !configured;
      await database.transaction(async (trx) => {
        if (!(await spam.remove(trx, kept.id))) throw notFound();
        await outbox.add(
          trx,
          mails.map((mail, part) => ({ ...emailRow(mail, client, id, sandbox), part })),
        );
        for (const mail of mails) await contents.add(trx, mail.rowId, mail.mime, clock.now());
      });
      outbox.wake(EMAIL_KIND);
      return c.json({ id }, 202);
    },
  );

  endpoint(
    app,
    'delete',
    `${BASE}/{id}`,
    {
      ...ADMIN,
      summary: 'Delete a contact form that is spam',
      answers: { 204: { description: 'Gone.', schema: null } },
      problems: [...READS, 'cross_site_request', 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      if (!(await database.transaction((trx) => spam.remove(trx, id)))) throw notFound();
      return c.body(null, 204);
    },
  );
}

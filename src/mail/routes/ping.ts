import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';

/** `GET /Ping` */
export function mountPing(app: App): void {
  endpoint(
    app,
    'get',
    '/Ping',
    {
      summary: 'Does the mail service answer?',
      tags: ['mail'],
      answers: { 200: { description: 'It does.', schema: z.literal('Pong'), mediaType: 'text/plain' } },
    },
    (c) => c.text('Pong'),
  );
}

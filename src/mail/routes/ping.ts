import { z } from '@hono/zod-openapi';
import { anyone } from '../../kernel/http/auth.ts';
import { withDefaults } from '../../kernel/http/common-headers.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';

const PLAIN = withDefaults({ 'Content-Type': 'text/plain;charset=utf-8' });

export function mountPing(app: App): void {
  endpoint(app, {
    method: 'get',
    path: '/Ping',
    operation: 'pingMail',
    summary: 'Check that the mail service responds',
    tags: ['mail'],
    auth: anyone,
    responses: { 200: { description: 'Pong', schema: z.literal('Pong'), mediaType: 'text/plain' } },
    handler: () => new Response('Pong', { headers: PLAIN }),
  });
}

import { z } from '@hono/zod-openapi';
import { anyone } from '../../kernel/http/auth.ts';
import { withDefaults } from '../../kernel/http/common-headers.ts';
import { ContentResponse } from '../../kernel/http/content/content-response.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';

const PONG = new TextEncoder().encode('Pong');
const HEADERS = withDefaults({
  'Content-Type': 'text/plain;charset=utf-8',
  'Content-Length': String(PONG.length),
}).toJSON();

export function mountPing(app: App): void {
  endpoint(app, {
    method: 'get',
    path: '/Ping',
    operation: 'pingMail',
    summary: 'Check that the mail service responds',
    tags: ['mail'],
    auth: anyone,
    responses: { 200: { description: 'Pong', schema: z.literal('Pong'), mediaType: 'text/plain' } },
    handler: () => new ContentResponse(PONG, { headers: HEADERS }),
  });
}

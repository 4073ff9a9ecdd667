import { z } from '@hono/zod-openapi';
import { anyone } from '../../kernel/http/auth.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';

const PATHS = { pingChat: '/api/chatbot/ping', pingTest: '/Ping/test', pingApiTest: '/api/Ping/test' };

export function mountPing(app: App): void {
  for (const [operation, path] of Object.entries(PATHS)) {
    endpoint(app, {
      method: 'get',
      path,
      operation,
      summary: 'Check that the chat relay responds',
      tags: ['chat'],
      auth: anyone,
      responses: { 200: { description: 'Pong', schema: z.literal('Pong'), mediaType: 'text/plain' } },
      handler: ({ c }) => c.text('Pong'),
    });
  }
}

import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';

/** `Pong`, for monitors. */
export function mountPing(app: App): void {
  for (const path of ['/api/chatbot/ping', '/Ping/test', '/api/Ping/test']) {
    endpoint(
      app,
      'get',
      path,
      {
        summary: 'Is the chat relay there?',
        tags: ['chat'],
        answers: { 200: { description: 'Pong', schema: z.literal('Pong'), mediaType: 'text/plain' } },
      },
      (c) => c.text('Pong'),
    );
  }
}

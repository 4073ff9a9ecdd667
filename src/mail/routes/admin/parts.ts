import type { EndpointDoc } from '../../../kernel/http/endpoint.ts';

/** What all endpoints of administrators have in common. */
export const ADMIN = { tags: ['mail administration'], security: ['session'] } satisfies Pick<EndpointDoc, 'tags' | 'security'>;
export const READS = ['login_required', 'admin_required'] as const;
export const WRITES = [...READS, 'cross_site_request', 'invalid_request', 'unsupported_media_type', 'body_too_large'] as const;

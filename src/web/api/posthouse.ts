import { type components, createPosthouse } from '../../client/index.ts';

/** The named types of the HTTP API. */
export type Schemas = components['schemas'];

/** Dispatched on `window` after a request without a valid session. */
export const SIGNED_OUT = 'posthouse-signed-out';

/** The API client of the app. TanStack Query retries reads, and the upload queue retries uploads. */
export const posthouse = createPosthouse({
  url: '',
  retries: 0,
  onError({ code }) {
    if (code === 'login_required') window.dispatchEvent(new Event(SIGNED_OUT));
  },
});

/** Request options of an endpoint whose path has an ID. */
export const byId = (id: string) => ({ params: { path: { id } } });

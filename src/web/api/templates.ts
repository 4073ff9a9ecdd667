import { useQuery } from '@tanstack/react-query';
import { call } from './http.ts';

/** What a template is made of; null = made from the other. */
export interface TemplateSource {
  subject: string;
  /** HTML or MJML with Liquid. */
  html: string | null;
  /** Text with Liquid. */
  text: string | null;
}

export interface Template extends TemplateSource {
  name: string;
  version: number;
  /** It came with the server and was not changed. */
  bundled: boolean;
  dateModified: string | null;
  sample: Record<string, unknown>;
}

export interface Rendered {
  subject: string;
  html: string | null;
  text: string;
}

const TEMPLATES = ['mail', 'templates'];
const BASE = '/api/admin/mail/templates';
const one = (name: string) => `${BASE}/${encodeURIComponent(name)}`;

export const useTemplates = () => useQuery({ queryKey: TEMPLATES, queryFn: ({ signal }) => call<Template[]>('GET', BASE, { signal }) });
export const useTemplate = (name: string | null) =>
  useQuery({
    queryKey: [...TEMPLATES, name],
    queryFn: ({ signal }) => call<Template>('GET', one(name ?? ''), { signal }),
    enabled: name !== null,
    // What is being written is not to be replaced by what was there before.
    staleTime: Number.POSITIVE_INFINITY,
  });
export const useVersions = (name: string | null) =>
  useQuery({
    queryKey: [...TEMPLATES, name, 'versions'],
    queryFn: ({ signal }) => call<{ version: number; dateCreated: string }[]>('GET', `${one(name ?? '')}/versions`, { signal }),
    enabled: name !== null,
  });

export const getVersion = (name: string, version: number) => call<Template>('GET', one(name), { query: { version } });
export const makeTemplate = (template: TemplateSource & { name: string; sample: object }) =>
  call<Template>('POST', BASE, { body: template });
export const saveTemplate = (name: string, template: TemplateSource & { sample: object }) =>
  call<Template>('PUT', one(name), { body: template });
export const deleteTemplate = (name: string) => call<void>('DELETE', one(name));
export const preview = (source: TemplateSource, data: object, signal: AbortSignal) =>
  call<Rendered>('POST', '/api/admin/mail/preview', { body: { ...source, data }, signal });

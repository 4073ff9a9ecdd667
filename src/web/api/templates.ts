import { useQuery } from '@tanstack/react-query';
import type { AnswerOf, BodyOf } from '../../client/index.ts';
import { keys } from './keys.ts';
import { posthouse, type Schemas } from './posthouse.ts';

export type Template = Schemas['MailTemplate'];
export type TemplateSource = Pick<Template, 'subject' | 'html' | 'text'>;
export type Rendered = AnswerOf<'/api/admin/mail/preview', 'post'>;

const byName = (name: string) => ({ params: { path: { name } } });

export const useTemplates = () =>
  useQuery({
    queryKey: keys.templates,
    queryFn: () => posthouse.get('/api/admin/mail/templates'),
  });
export const useTemplate = (name: string | null) =>
  useQuery({
    queryKey: [...keys.templates, name],
    queryFn: () => posthouse.get('/api/admin/mail/templates/{name}', byName(name ?? '')),
    enabled: name !== null,
    // A refetch must not replace a template that is being edited.
    staleTime: Number.POSITIVE_INFINITY,
    // The next visit shows what others have saved meanwhile.
    gcTime: 0,
  });
export const useVersions = (name: string | null) =>
  useQuery({
    queryKey: [...keys.templates, name, 'versions'],
    queryFn: () => posthouse.get('/api/admin/mail/templates/{name}/versions', byName(name ?? '')),
    enabled: name !== null,
  });

export const getVersion = (name: string, version: number) =>
  posthouse.get('/api/admin/mail/templates/{name}', { params: { path: { name }, query: { version } } });
export const createTemplate = (body: BodyOf<'/api/admin/mail/templates', 'post'>) =>
  posthouse.post('/api/admin/mail/templates', { body });
export const saveTemplate = (name: string, body: BodyOf<'/api/admin/mail/templates/{name}', 'put'>) =>
  posthouse.put('/api/admin/mail/templates/{name}', { ...byName(name), body });
export const deleteTemplate = (name: string) =>
  posthouse.delete('/api/admin/mail/templates/{name}', byName(name));
export const preview = (
  source: TemplateSource,
  data: BodyOf<'/api/admin/mail/preview', 'post'>['data'],
  signal: AbortSignal,
) => posthouse.post('/api/admin/mail/preview', { body: { ...source, data }, signal });

import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { keys } from '../../api/keys.ts';
import {
  createTemplate,
  deleteTemplate,
  getVersion,
  saveTemplate,
  type Template,
} from '../../api/templates.ts';
import { attempt, notify, runReported } from '../../components/notify.tsx';
import { useApiForm } from '../../components/useApiForm.ts';
import { texts } from './texts.ts';

export const TEMPLATE_LIST = '/admin/mail/templates';

/** The fields of a template with the operations of its editor. */
export function useTemplateForm(template: Template, isNew: boolean) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const form = useApiForm(formValuesOf(template), async (values) => {
    const body = { ...sourceOf(values), sample: parseSample(values.sample) ?? {} };
    const saved = isNew
      ? await createTemplate({ ...body, name: values.name })
      : await saveTemplate(template.name, body);
    client.setQueryData([...keys.templates, saved.name], saved);
    await client.invalidateQueries({ queryKey: keys.templates });
    notify(texts.templateSaved);
    if (isNew) navigate(`${TEMPLATE_LIST}/${encodeURIComponent(saved.name)}`, { replace: true });
  });
  return {
    form,
    source: sourceOf(form.values),
    sample: parseSample(form.values.sample),
    /** Fills the fields with an earlier version, without saving it. */
    loadVersion: (version: number) =>
      void attempt(async () => form.setValues(formValuesOf(await getVersion(template.name, version)))),
    /** Reports its own errors, and then rejects. */
    remove: () =>
      runReported(async () => {
        await deleteTemplate(template.name);
        client.removeQueries({ queryKey: [...keys.templates, template.name] });
        await client.invalidateQueries({ queryKey: keys.templates });
        navigate(TEMPLATE_LIST, { replace: true });
      }),
  };
}

export type TemplateForm = ReturnType<typeof useTemplateForm>['form'];

const formValuesOf = ({ name, subject, html, text, sample }: Template) => ({
  name,
  subject,
  html: html ?? '',
  text: text ?? '',
  sample: JSON.stringify(sample, null, 2),
});

const sourceOf = ({ subject, html, text }: ReturnType<typeof formValuesOf>) => ({
  subject,
  html: html || null,
  text: text || null,
});

/** Parses sample data; returns null unless it is a JSON object. */
export function parseSample(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

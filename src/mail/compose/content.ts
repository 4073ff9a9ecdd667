import { invalidField } from '../../kernel/http/problem.ts';
import type { EmailRequest } from './email-request.ts';
import type { RenderLiquid } from './liquid.ts';
import { isMjml, renderMjml } from './mjml.ts';
import { plainTextOf } from './plain-text.ts';

/** What a mail says. */
export interface Content {
  subject: string;
  text: string;
  /** Null = text alone. */
  html: string | null;
}

/** A stored template's newest version. */
export interface TemplateSource {
  subject: string;
  html: string | null;
  text: string | null;
}

/** @throws Problem 400 `invalid_request`, `invalid_template` */
export type RenderContent = (request: EmailRequest) => Promise<Content>;

interface ContentParts {
  liquid: RenderLiquid;
  /** Null = there is none of that name. */
  findTemplate(name: string): Promise<TemplateSource | null>;
}

/** Fills a whole template with `data`. @param field named in errors @throws Problem 400 `invalid_template` */
export type RenderTemplate = (source: TemplateSource, data: Record<string, unknown>, strict: boolean, field: string) => Content;

export function createTemplateRenderer(liquid: RenderLiquid): RenderTemplate {
  return (source, data, strict, field) => {
    const html =
      source.html === null ? null : finished(liquid({ text: source.html, data, markup: 'html', strict, field }), source.html, field);
    return {
      subject: liquid({ text: source.subject, data, markup: 'text', strict, field }).trim(),
      html,
      text: source.text === null ? plainTextOf(html ?? '') : liquid({ text: source.text, data, markup: 'text', strict, field }),
    };
  };
}

export function createContent({ liquid, findTemplate }: ContentParts): RenderContent {
  const renderTemplate = createTemplateRenderer(liquid);
  return async (request) => {
    const data = request.TemplateData ?? {};
    const strict = request.StrictVariables ?? false;
    const fillIfAsked = (text: string, field: string) =>
      request.TemplateData === undefined ? text : liquid({ text, data, markup: 'text', strict, field });
    const stored = await storedTemplate(request);
    if (stored) {
      const own = request.Subject === undefined ? stored : { ...stored, subject: '' };
      const content = renderTemplate(own, data, strict, 'TemplateName');
      return { ...content, subject: required(request.Subject === undefined ? content.subject : fillIfAsked(request.Subject, 'Subject')) };
    }
    const source = request.HtmlTemplate;
    const html =
      source === undefined
        ? null
        : finished(liquid({ text: source, data, markup: 'html', strict, field: 'HtmlTemplate' }), source, 'HtmlTemplate');
    const text = request.Body === undefined ? plainTextOf(html ?? '') : fillIfAsked(request.Body, 'Body');
    return { subject: required(fillIfAsked(request.Subject ?? '', 'Subject')), text, html };
  };

  async function storedTemplate({ TemplateName, HtmlTemplate, Body }: EmailRequest): Promise<TemplateSource | null> {
    if (TemplateName === undefined) {
      if (HtmlTemplate === undefined && Body === undefined) throw invalidField('Body', 'is required, or HtmlTemplate, or TemplateName');
      return null;
    }
    if (HtmlTemplate !== undefined || Body !== undefined)
      throw invalidField('TemplateName', 'stands in place of Body and HtmlTemplate, not beside them');
    const found = await findTemplate(TemplateName.trim());
    if (!found) throw invalidField('TemplateName', 'there is no template of this name');
    return found;
  }
}

function required(subject: string): string {
  if (subject === '') throw invalidField('Subject', 'is required');
  return subject;
}

function finished(html: string, source: string, field: string): string {
  return isMjml(source) ? renderMjml(html, field) : html;
}

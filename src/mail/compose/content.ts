import { invalidField } from '../../kernel/problem.ts';
import type { EmailRequest } from './email-request.ts';
import type { LiquidSource, RenderLiquid } from './liquid.ts';
import { isMjml } from './mjml.ts';
import type { LoadRenderers, Renderers } from './renderers.ts';

export interface EmailContent {
  subject: string;
  text: string;
  /** Null = text only. */
  html: string | null;
}

/** A stored template's newest version. */
export interface TemplateSource {
  subject: string;
  html: string | null;
  text: string | null;
}

/** @throws Problem 400 `invalid_request`, `invalid_template` */
export type RenderContent = (request: EmailRequest) => Promise<EmailContent>;

interface ContentDeps {
  renderers: LoadRenderers;
  /** Returns null for an unknown name. */
  findTemplate(name: string): Promise<TemplateSource | null>;
}

/** Renders all texts of a template with `data`. @param field named in errors @throws Problem 400 `invalid_template` */
export type RenderTemplate = (
  source: TemplateSource,
  data: Record<string, unknown>,
  strict: boolean,
  field: string,
) => Promise<EmailContent>;

export function createTemplateRenderer(renderers: LoadRenderers): RenderTemplate {
  return async (source, data, strict, field) => {
    const { liquid, mjml, plainTextOf } = await renderers();
    const html = source.html && renderHtml({ liquid, mjml }, { text: source.html, data, strict, field });
    return {
      subject: liquid({ text: source.subject, data, markup: 'text', strict, field }).trim(),
      html,
      text:
        source.text === null
          ? plainTextOf(html ?? '')
          : liquid({ text: source.text, data, markup: 'text', strict, field }),
    };
  };
}

export function createContent({ findTemplate, renderers }: ContentDeps): RenderContent {
  const renderTemplate = createTemplateRenderer(renderers);
  return async (request) => {
    const template = await requestedTemplate(request, findTemplate);
    return template
      ? await fromTemplate(request, template, renderTemplate, await renderers())
      : fromRequest(request, await renderers());
  };
}

async function fromTemplate(
  request: EmailRequest,
  template: TemplateSource,
  renderTemplate: RenderTemplate,
  { liquid }: Renderers,
): Promise<EmailContent> {
  const { Subject, TemplateData = {}, StrictVariables = false } = request;
  const source = Subject === undefined ? template : { ...template, subject: '' };
  const content = await renderTemplate(source, TemplateData, StrictVariables, 'TemplateName');
  const subject = Subject === undefined ? content.subject : renderText(request, Subject, 'Subject', liquid);
  return { ...content, subject: required(subject) };
}

function fromRequest(request: EmailRequest, { liquid, mjml, plainTextOf }: Renderers): EmailContent {
  const {
    Subject = '',
    Body,
    HtmlTemplate,
    TemplateData: data = {},
    StrictVariables: strict = false,
  } = request;
  const html =
    HtmlTemplate === undefined
      ? null
      : renderHtml({ liquid, mjml }, { text: HtmlTemplate, data, strict, field: 'HtmlTemplate' });
  const text = Body === undefined ? plainTextOf(html ?? '') : renderText(request, Body, 'Body', liquid);
  return { subject: required(renderText(request, Subject, 'Subject', liquid)), text, html };
}

/** Renders a text of the request as Liquid if the request has `TemplateData`. */
function renderText(
  { TemplateData: data, StrictVariables: strict = false }: EmailRequest,
  text: string,
  field: string,
  liquid: RenderLiquid,
): string {
  return data === undefined ? text : liquid({ text, data, markup: 'text', strict, field });
}

/** @returns null when the request has its own content @throws Problem 400 */
async function requestedTemplate(
  { TemplateName, HtmlTemplate, Body }: EmailRequest,
  findTemplate: ContentDeps['findTemplate'],
): Promise<TemplateSource | null> {
  const hasContent = HtmlTemplate !== undefined || Body !== undefined;
  if (TemplateName === undefined) {
    if (!hasContent) throw invalidField('Body', 'is required, or HtmlTemplate, or TemplateName');
    return null;
  }
  if (hasContent) throw invalidField('TemplateName', 'replaces Body and HtmlTemplate; remove them');
  const found = await findTemplate(TemplateName.trim());
  if (!found) throw invalidField('TemplateName', 'there is no template of this name');
  return found;
}

function required(subject: string): string {
  if (subject === '') throw invalidField('Subject', 'is required');
  return subject;
}

/** Renders HTML, or MJML, with Liquid. */
function renderHtml(
  { liquid, mjml }: Pick<Renderers, 'liquid' | 'mjml'>,
  source: Omit<LiquidSource, 'markup'>,
): string {
  const html = liquid({ ...source, markup: 'html' });
  return isMjml(source.text) ? mjml(html, source.field) : html;
}

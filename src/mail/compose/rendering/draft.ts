import { invalidField } from '../../../kernel/problem.ts';
import type { EmailRequest } from '../email-request.ts';
import { isMjml } from './mjml.ts';

/** A text of an e-mail before it is rendered. */
export interface Text {
  source: string;
  isLiquid: boolean;
  /** White space around the result is removed. */
  isTrimmed?: true;
  /** Request field that errors name. */
  field: string;
}

/** The texts of an e-mail before they are rendered. */
export interface Draft {
  subject: Text;
  /** HTML or MJML; null = text only. */
  html: Text | null;
  /** Null = derived from the HTML. */
  text: Text | null;
  data: Record<string, unknown>;
  /** A missing variable is an error. */
  strict: boolean;
}

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

/** The fields of a request that become its texts. */
export type TextFields = Pick<
  EmailRequest,
  'Subject' | 'Body' | 'HtmlTemplate' | 'TemplateData' | 'StrictVariables'
>;

/** @param field named in errors */
export function templateDraft(
  { subject, html, text }: TemplateSource,
  { data, strict = false, field }: { data: Record<string, unknown>; strict?: boolean; field: string },
): Draft {
  const liquid = (source: string) => ({ source, isLiquid: true, field });
  return {
    subject: { ...liquid(subject), isTrimmed: true },
    html: html === null ? null : liquid(html),
    text: text === null ? null : liquid(text),
    data,
    strict,
  };
}

/**
 * Returns the texts of a request. `Subject` and `Body` are Liquid if it has `TemplateData`; HTML always is.
 * @param template the stored template that it names; null = none
 * @throws Problem 400 when it has no content, or both a template and content
 */
export function requestDraft(request: TextFields, template: TemplateSource | null): Draft {
  const { Subject, Body, HtmlTemplate, TemplateData: data = {}, StrictVariables: strict = false } = request;
  const hasContent = HtmlTemplate !== undefined || Body !== undefined;
  if (template && hasContent)
    throw invalidField('TemplateName', 'replaces Body and HtmlTemplate; remove them');
  if (!template && !hasContent) throw invalidField('Body', 'is required, or HtmlTemplate, or TemplateName');
  const isLiquid = request.TemplateData !== undefined;
  const own = { subject: { source: Subject ?? '', isLiquid, field: 'Subject' }, data, strict };
  if (template) {
    const stored = templateDraft(template, { data, strict, field: 'TemplateName' });
    return Subject === undefined ? stored : { ...stored, ...own };
  }
  return {
    ...own,
    html: HtmlTemplate === undefined ? null : { source: HtmlTemplate, isLiquid: true, field: 'HtmlTemplate' },
    text: Body === undefined ? null : { source: Body, isLiquid, field: 'Body' },
  };
}

/** Returns the content of a draft that has a text and neither Liquid nor MJML; null = it must be rendered. */
export function plainContent({ subject, html, text }: Draft): EmailContent | null {
  if (text === null || [subject, html, text].some((each) => each !== null && isRendered(each))) return null;
  if (html !== null && isMjml(html.source)) return null;
  return { subject: subject.source, html: html?.source ?? null, text: text.source };
}

/** Reports whether rendering can change a text. */
function isRendered({ source, isLiquid }: Text): boolean {
  return isLiquid && /\{[{%]/.test(source);
}

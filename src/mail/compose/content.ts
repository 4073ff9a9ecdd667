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

/** @param rowId of the mail, for what is added to it @throws Problem 400 `invalid_request`, `invalid_template` */
export type RenderContent = (request: EmailRequest, rowId: string) => Promise<Content>;

interface ContentParts {
  liquid: RenderLiquid;
  /** Null = there is none of that name. */
  findTemplate(name: string): Promise<TemplateSource | null>;
}

export function createContent({ liquid, findTemplate }: ContentParts): RenderContent {
  return async (request) => {
    const stored = await storedTemplate(request);
    const data = request.TemplateData ?? {};
    const strict = request.StrictVariables ?? false;
    const fill = (text: string, field: string, markup: 'html' | 'text') => liquid({ text, data, markup, strict, field });
    const fillIfAsked = (text: string, field: string) => (request.TemplateData === undefined ? text : fill(text, field, 'text'));

    const subject = stored && request.Subject === undefined ? fill(stored.subject, 'TemplateName', 'text').trim() : request.Subject;
    if (subject === undefined || subject === '') throw invalidField('Subject', 'is required');
    const htmlSource = stored ? stored.html : (request.HtmlTemplate ?? null);
    const htmlField = stored ? 'TemplateName' : 'HtmlTemplate';
    const html = htmlSource === null ? null : finished(fill(htmlSource, htmlField, 'html'), isMjml(htmlSource), htmlField);
    const text =
      stored?.text != null
        ? fill(stored.text, 'TemplateName', 'text')
        : request.Body === undefined
          ? plainTextOf(html ?? '')
          : fillIfAsked(request.Body, 'Body');
    return { subject: stored && request.Subject === undefined ? subject : fillIfAsked(subject, 'Subject'), text, html };
  };

  async function storedTemplate({ TemplateName, HtmlTemplate, Body }: EmailRequest): Promise<TemplateSource | null> {
    if (TemplateName === undefined) {
      if (HtmlTemplate === undefined && Body === undefined) throw invalidField('Body', 'is required, or HtmlTemplate, or TemplateName');
      return null;
    }
    if (HtmlTemplate !== undefined || Body !== undefined)
      throw invalidField('TemplateName', 'stands in place of Body and HtmlTemplate, not beside them');
    const found = await findTemplate(TemplateName.trim().toLowerCase());
    if (!found) throw invalidField('TemplateName', 'there is no template of this name');
    return found;
  }
}

function finished(html: string, mjml: boolean, field: string): string {
  return mjml ? renderMjml(html, field) : html;
}

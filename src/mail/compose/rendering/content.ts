import type { Draft, EmailContent, Text } from './draft.ts';
import type { RenderLiquid } from './liquid.ts';
import { isMjml, type RenderMjml } from './mjml.ts';

export interface Renderers {
  liquid: RenderLiquid;
  mjml: RenderMjml;
  /** Returns the text alternative of an HTML e-mail. */
  plainTextOf(html: string): string;
}

/** Renders the texts of an e-mail. It may take long, so it runs in a child. @throws Problem 400 `invalid_template` */
export type RenderDraft = (draft: Draft) => EmailContent;

export function createDraftRenderer({ liquid, mjml, plainTextOf }: Renderers): RenderDraft {
  return ({ subject, html, text, data, strict }) => {
    const rendered = (given: Text, markup: 'html' | 'text') => {
      const { source, isLiquid, isTrimmed, field } = given;
      const output = isLiquid ? liquid({ text: source, data, markup, strict, field }) : source;
      return isTrimmed ? output.trim() : output;
    };
    let body = html && rendered(html, 'html');
    if (html && body !== null && isMjml(html.source)) body = mjml(body, html.field);
    const given = text && rendered(text, 'text');
    return {
      html: body,
      text: body !== null && !given?.trim() ? plainTextOf(body) : (given ?? ''),
      subject: rendered(subject, 'text'),
    };
  };
}

import { useCallback } from 'react';
import type { TextFormat } from '../../../../text/text-format.ts';
import { ScrollRegion } from './ScrollRegion.tsx';
import { sanitized } from './sanitize.ts';
import { TextTable } from './TextTable.tsx';
import type { RenderedText } from './text-worker.ts';

interface FormattedTextProps {
  kind: TextFormat['kind'];
  rendered: RenderedText;
}

export function FormattedText({ kind, rendered }: FormattedTextProps) {
  if ('rows' in rendered) return <TextTable table={rendered} />;
  return <SanitizedHtml key={rendered.html} html={rendered.html} kind={kind} />;
}

function SanitizedHtml({ html, kind }: Pick<FormattedTextProps, 'kind'> & { html: string }) {
  // Inserts nodes, since parsing their markup again could produce another tree than the sanitized one.
  const fill = useCallback(
    (element: HTMLElement | null) => element?.replaceChildren(sanitized(html)),
    [html],
  );
  return kind === 'code' ? (
    <ScrollRegion as="pre" className="highlighted" ref={fill} />
  ) : (
    <ScrollRegion as="article" className="markdown" ref={fill} />
  );
}

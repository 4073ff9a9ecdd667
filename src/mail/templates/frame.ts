import type { TemplateSource } from '../compose/rendering/draft.ts';

/** A template that is part of the program; a stored one of the same name replaces it. */
export interface BundledTemplate extends TemplateSource {
  sample: Record<string, unknown>;
}

/** Returns the MJML of an e-mail around the elements of its only column. */
export const frame = (body: string) => `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" />
      <mj-text font-size="16px" line-height="1.5" color="#1f2933" />
      <mj-button background-color="#2b5fd9" border-radius="6px" font-size="16px" inner-padding="12px 24px" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f3f5f8">
    <mj-section padding="24px 0 0"></mj-section>
    <mj-section background-color="#ffffff" border-radius="8px">
      <mj-column>
${body}
      </mj-column>
    </mj-section>
    <mj-section padding="0 0 24px"></mj-section>
  </mj-body>
</mjml>
`;

export const heading = (text: string) =>
  `        <mj-text font-size="22px" font-weight="600">${text}</mj-text>`;

/** Returns the rows of a table with a name and a value for each element of the list `of`. */
export const nameAndValue = (of: string, note = '', padding = 4) => `{% for row in ${of} %}<tr>
            <td style="padding:${padding}px 12px ${padding}px 0;color:#616e7c">{{ row.name }}${note}</td>
            <td style="padding:${padding}px 0">{{ row.value }}</td>
          </tr>{% endfor %}`;

/** A remark below the text. */
export const small = (text: string) => `        <mj-text font-size="14px" color="#616e7c">${text}</mj-text>`;

import { type BundledTemplate, frame, heading, nameAndValue } from './frame.ts';

interface ContactTexts {
  subject: string;
  title: string;
  system: string;
  /** Marks a row of the system information that was not verified. */
  reported: string;
  sample: Record<string, unknown>;
}

const contactTemplate = ({ subject, title, system, reported, sample }: ContactTexts): BundledTemplate => {
  const note = `{% if row.reported %} (${reported}){% endif %}`;
  return {
    subject: `{% if subject %}{{ subject }}{% else %}${subject}{% endif %}`,
    html: frame(`${heading(`{% if subject %}{{ subject }}{% else %}${title}{% endif %}`)}
        <mj-text>{% for line in lines %}{{ line }}<br />{% endfor %}</mj-text>
        <mj-table>
          ${nameAndValue('contact')}
          ${nameAndValue('fields')}
        </mj-table>
        {% if system.size > 0 %}<mj-divider border-width="1px" border-color="#cbd2d9" />
        <mj-text font-size="14px" color="#616e7c">${system}</mj-text>
        <mj-table font-size="13px">
          ${nameAndValue('system', note, 3)}
        </mj-table>
        {% if credit %}<mj-text font-size="12px" color="#616e7c">
          <a href="https://db-ip.com">IP Geolocation by DB-IP</a>
        </mj-text>{% endif %}{% endif %}`),
    text: `{{ message }}

{% for row in contact %}{{ row.name }}: {{ row.value }}
{% endfor %}{% for row in fields %}{{ row.name }}: {{ row.value }}
{% endfor %}{% if system.size > 0 %}
${system}
{% for row in system %}{{ row.name }}${note}: {{ row.value }}
{% endfor %}{% if credit %}IP Geolocation by DB-IP (https://db-ip.com)
{% endif %}{% endif %}`,
    sample,
  };
};

const VISITOR = { name: 'Ada Lovelace', email: 'ada@example.org' };

/** The e-mails to the recipients of a contact form. */
export const CONTACT_TEMPLATES: readonly (readonly [string, BundledTemplate])[] = [
  [
    'contact-form',
    contactTemplate({
      subject: 'Message from {{ name | default: email }}',
      title: 'A message from {{ name | default: email }}',
      system: 'System information',
      reported: 'reported',
      sample: {
        ...VISITOR,
        subject: 'A question',
        message: 'Hello,\nwhat does it cost?',
        lines: ['Hello,', 'what does it cost?'],
        contact: [
          { name: 'Name', value: VISITOR.name },
          { name: 'E-mail', value: VISITOR.email },
        ],
        fields: [{ name: 'Company', value: 'Analytical Engines' }],
        system: [{ name: 'Address', value: '192.0.2.1', reported: false }],
        credit: true,
      },
    }),
  ],
  [
    'contact-form.de',
    contactTemplate({
      subject: 'Nachricht von {{ name | default: email }}',
      title: 'Eine Nachricht von {{ name | default: email }}',
      system: 'Systeminformationen',
      reported: 'ungeprüft',
      sample: {
        ...VISITOR,
        subject: 'Eine Frage',
        message: 'Guten Tag,\nwas kostet es?',
        lines: ['Guten Tag,', 'was kostet es?'],
        contact: [
          { name: 'Name', value: VISITOR.name },
          { name: 'E-Mail', value: VISITOR.email },
        ],
        fields: [{ name: 'Firma', value: 'Analytical Engines' }],
        system: [{ name: 'IP-Adresse', value: '192.0.2.1', reported: false }],
        credit: true,
      },
    }),
  ],
];

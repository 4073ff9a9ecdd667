import { GERMAN_ACCOUNT_TEMPLATES } from './account.de.ts';
import { ACCOUNT_TEMPLATES } from './account.ts';
import { CONTACT_TEMPLATES } from './contact.ts';
import { type BundledTemplate, frame, heading, nameAndValue } from './frame.ts';
import { GERMAN_LINK_TEMPLATES } from './links.de.ts';
import { LINK_TEMPLATES } from './links.ts';

export const BUNDLED: ReadonlyMap<string, BundledTemplate> = new Map<string, BundledTemplate>([
  ...ACCOUNT_TEMPLATES,
  ...GERMAN_ACCOUNT_TEMPLATES,
  ...LINK_TEMPLATES,
  ...GERMAN_LINK_TEMPLATES,
  ...CONTACT_TEMPLATES,
  [
    'welcome',
    {
      subject: 'Welcome to {{ product }}',
      html: frame(`${heading('Welcome{% if name %}, {{ name }}{% endif %}')}
        <mj-text>Your account at {{ product }} is ready.</mj-text>
        {% if url %}<mj-button href="{{ url }}">Get started</mj-button>{% endif %}`),
      text: `Welcome{% if name %}, {{ name }}{% endif %}

Your account at {{ product }} is ready.
{% if url %}
Get started: {{ url }}
{% endif %}`,
      sample: { name: 'Ada Lovelace', product: 'Example', url: 'https://example.org/start' },
    },
  ],
  [
    'password-reset',
    {
      subject: 'Choose a new password',
      html: frame(`${heading('Choose a new password')}
        <mj-text>
          {% if name %}Hello {{ name }},<br /><br />{% endif %}A new password for {{ product }} was requested.
        </mj-text>
        <mj-button href="{{ url }}">Choose a new password</mj-button>
        <mj-text font-size="14px" color="#616e7c">
          {% if expires %}The link expires at {{ expires }}. {% endif %}If you did not request this, ignore this
          e-mail: your password stays the same.
        </mj-text>`),
      text: `{% if name %}Hello {{ name }},

{% endif %}A new password for {{ product }} was requested.

Choose a new password: {{ url }}

{% if expires %}The link expires at {{ expires }}. {% endif %}If you did not request this, ignore this e-mail: \
your password stays the same.
`,
      sample: {
        name: 'Ada Lovelace',
        product: 'Example',
        url: 'https://example.org/reset/abc',
        expires: '14:30',
      },
    },
  ],
  [
    'receipt',
    {
      subject: 'Receipt {{ number }}',
      html: frame(`${heading('Receipt {{ number }}')}
        <mj-text>Thank you{% if name %}, {{ name }}{% endif %}.{% if date %} {{ date }}{% endif %}</mj-text>
        <mj-table>
          {% for item in items %}<tr>
            <td style="padding:6px 0">{{ item.name }}</td>
            <td style="padding:6px 0;text-align:right">{{ item.price }}</td>
          </tr>{% endfor %}
          <tr style="border-top:1px solid #cbd2d9;font-weight:600">
            <td style="padding:6px 0">Total</td>
            <td style="padding:6px 0;text-align:right">{{ total }}</td>
          </tr>
        </mj-table>`),
      text: `Receipt {{ number }}{% if date %}, {{ date }}{% endif %}
{% for item in items %}
{{ item.name }}: {{ item.price }}{% endfor %}

Total: {{ total }}
`,
      sample: {
        number: '2026-0042',
        name: 'Ada Lovelace',
        date: '2026-05-04',
        items: [
          { name: 'Notebook', price: '12.00 €' },
          { name: 'Pencils', price: '4.50 €' },
        ],
        total: '16.50 €',
      },
    },
  ],
  [
    'alert',
    {
      subject: '[{{ level | default: "alert" }}] {{ title }}',
      html: frame(`${heading('{{ title }}')}
        <mj-text>{{ message }}</mj-text>
        {% if details %}<mj-table>
          ${nameAndValue('details')}
        </mj-table>{% endif %}
        {% if url %}<mj-button href="{{ url }}">Show details</mj-button>{% endif %}`),
      text: `{{ title }}

{{ message }}
{% for detail in details %}
{{ detail.name }}: {{ detail.value }}{% endfor %}
{% if url %}
{{ url }}
{% endif %}`,
      sample: {
        level: 'warning',
        title: 'Disk nearly full',
        message: 'The disk of db-1 is 91 % full.',
        details: [{ name: 'Host', value: 'db-1' }],
        url: 'https://example.org/hosts/db-1',
      },
    },
  ],
]);

import { type BundledTemplate, frame, heading, small } from './frame.ts';

const COUNT = '{{ count }} {% if count == 1 %}file{% else %}files{% endif %}';
const FROM = '{% if file.sender %} from {{ file.sender }}{% endif %}';

/** Values of the sample of each e-mail about a link. */
export const LINK_SAMPLE = {
  name: 'Ada Lovelace',
  product: 'Posthouse',
  site: 'files.example.org',
  count: 12,
  files: [
    { name: 'IMG_2034.jpg', sender: 'Grace Hopper' },
    { name: 'IMG_2035.jpg', sender: null },
  ],
  more: 10,
  url: 'https://files.example.org/files/0192',
};

/** The e-mails of the server about links that take files. */
export const LINK_TEMPLATES: readonly (readonly [string, BundledTemplate])[] = [
  [
    'link-files',
    {
      subject: `${COUNT} arrived in “{{ link }}”`,
      html: frame(`${heading(`${COUNT} arrived in “{{ link }}”`)}
        <mj-text>Hello {{ name }},<br /><br />Visitors to your link at {{ site }} have sent:</mj-text>
        <mj-text>{% for file in files %}<bdi>{{ file.name }}</bdi>${FROM}<br />{% endfor %}
          {% if more > 0 %}and {{ more }} more{% endif %}</mj-text>
        <mj-button href="{{ url }}">Show the files</mj-button>
${small('You created this link. To stop receiving files, revoke it on the page “Shared”.')}`),
      text: `Hello {{ name }},

Visitors to your link “{{ link }}” at {{ site }} have sent ${COUNT}:
{% for file in files %}
- {{ file.name }}${FROM}{% endfor %}{% if more > 0 %}
- and {{ more }} more{% endif %}

Show the files: {{ url }}

You created this link. To stop receiving files, revoke it on the page “Shared”.
`,
      sample: { ...LINK_SAMPLE, link: 'Photographs of the launch' },
    },
  ],
];

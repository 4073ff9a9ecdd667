import { type BundledTemplate, frame, heading, small } from './frame.ts';
import { LINK_SAMPLE } from './links.ts';

const COUNT = '{{ count }} {% if count == 1 %}Datei{% else %}Dateien{% endif %}';
const FROM = '{% if file.sender %} von {{ file.sender }}{% endif %}';

/** The German e-mails of the server about links that take files. */
export const GERMAN_LINK_TEMPLATES: readonly (readonly [string, BundledTemplate])[] = [
  [
    'link-files.de',
    {
      subject: `${COUNT} in „{{ link }}“ angekommen`,
      html: frame(`${heading(`${COUNT} in „{{ link }}“ angekommen`)}
        <mj-text>Hallo {{ name }},<br /><br />Besucher Ihres Links auf {{ site }} haben gesendet:</mj-text>
        <mj-text>{% for file in files %}<bdi>{{ file.name }}</bdi>${FROM}<br />{% endfor %}
          {% if more > 0 %}und {{ more }} weitere{% endif %}</mj-text>
        <mj-button href="{{ url }}">Dateien anzeigen</mj-button>
${small(`Sie haben diesen Link erstellt. Wenn Sie keine Dateien mehr erhalten möchten, widerrufen Sie ihn auf der Seite
          „Freigaben“.`)}`),
      text: `Hallo {{ name }},

Besucher Ihres Links „{{ link }}“ auf {{ site }} haben ${COUNT} gesendet:
{% for file in files %}
- {{ file.name }}${FROM}{% endfor %}{% if more > 0 %}
- und {{ more }} weitere{% endif %}

Dateien anzeigen: {{ url }}

Sie haben diesen Link erstellt. Wenn Sie keine Dateien mehr erhalten möchten, widerrufen Sie ihn auf der Seite \
„Freigaben“.
`,
      sample: { ...LINK_SAMPLE, link: 'Fotos vom Start' },
    },
  ],
];

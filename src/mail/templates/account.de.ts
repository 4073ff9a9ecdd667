import { ACCOUNT_SAMPLE } from './account.ts';
import { type BundledTemplate, frame, heading, small } from './frame.ts';

const GREETING = 'Hallo {{ name }},';

/** The German e-mails of the server to people about their accounts. */
export const GERMAN_ACCOUNT_TEMPLATES: readonly (readonly [string, BundledTemplate])[] = [
  [
    'account-invitation.de',
    {
      subject: 'Ihr Konto bei {{ product }} ({{ site }})',
      html: frame(`${heading('Sie sind zu {{ product }} eingeladen')}
        <mj-text>
          ${GREETING}<br /><br />{{ inviter | default: "Ein Administrator" }} hat für Sie ein Konto auf {{ site }}
          angelegt.
        </mj-text>
        <mj-button href="{{ url }}">{% if validity %}Passwort festlegen{% else %}Anmelden{% endif %}</mj-button>
${small(`{% if validity %}Der Link kann einmal verwendet werden und ist {{ validity }} gültig. {% endif %}Wenn Sie
          diese E-Mail nicht erwartet haben, ignorieren Sie sie.`)}`),
      text: `${GREETING}

{{ inviter | default: "Ein Administrator" }} hat für Sie ein Konto auf {{ site }} angelegt.

{% if validity %}Passwort festlegen{% else %}Anmelden{% endif %}: {{ url }}

{% if validity %}Der Link kann einmal verwendet werden und ist {{ validity }} gültig. {% endif %}Wenn Sie diese \
E-Mail nicht erwartet haben, ignorieren Sie sie.
`,
      sample: { ...ACCOUNT_SAMPLE, inviter: 'Grace Hopper', validity: 'sieben Tage' },
    },
  ],
  [
    'account-password-reset.de',
    {
      subject: 'Neues Passwort für {{ product }} ({{ site }}) wählen',
      html: frame(`${heading('Wählen Sie ein neues Passwort')}
        <mj-text>
          ${GREETING}<br /><br />für Ihr Konto auf {{ site }} wurde ein neues Passwort angefordert.
        </mj-text>
        <mj-button href="{{ url }}">Neues Passwort wählen</mj-button>
${small(`Der Link kann einmal verwendet werden und ist {{ validity }} gültig. Wenn Sie das nicht angefordert haben,
          ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.`)}`),
      text: `${GREETING}

für Ihr Konto auf {{ site }} wurde ein neues Passwort angefordert.

Neues Passwort wählen: {{ url }}

Der Link kann einmal verwendet werden und ist {{ validity }} gültig. Wenn Sie das nicht angefordert haben, ignorieren \
Sie diese E-Mail: Ihr Passwort bleibt unverändert.
`,
      sample: { ...ACCOUNT_SAMPLE, validity: 'eine Stunde' },
    },
  ],
  [
    'account-password-changed.de',
    {
      subject: 'Ihr Passwort für {{ product }} ({{ site }}) wurde geändert',
      html: frame(`${heading('Ihr Passwort wurde geändert')}
        <mj-text>
          ${GREETING}<br /><br />das Passwort Ihres Kontos auf {{ site }} wurde geändert. Alle anderen Sitzungen und
          alle Zugriffstokens sind beendet.
        </mj-text>
${small(`Wenn Sie das nicht waren, wählen Sie ein neues Passwort und benachrichtigen Sie Ihren Administrator:
          <a href="{{ url }}">{{ url }}</a>`)}`),
      text: `${GREETING}

das Passwort Ihres Kontos auf {{ site }} wurde geändert. Alle anderen Sitzungen und alle Zugriffstokens sind beendet.

Wenn Sie das nicht waren, wählen Sie ein neues Passwort und benachrichtigen Sie Ihren Administrator: {{ url }}
`,
      sample: { ...ACCOUNT_SAMPLE, url: 'https://files.example.org/forgot-password' },
    },
  ],
];

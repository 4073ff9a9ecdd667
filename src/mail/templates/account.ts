import { type BundledTemplate, frame, heading, small } from './frame.ts';

const GREETING = 'Hello {{ name }},';

/** Values of the sample of each e-mail about an account. */
export const ACCOUNT_SAMPLE = {
  name: 'Ada Lovelace',
  product: 'Posthouse',
  site: 'files.example.org',
  url: 'https://files.example.org/password/abc',
};

/** The e-mails of the server to people about their accounts. */
export const ACCOUNT_TEMPLATES: readonly (readonly [string, BundledTemplate])[] = [
  [
    'account-invitation',
    {
      subject: 'Your account at {{ product }} ({{ site }})',
      html: frame(`${heading('You are invited to {{ product }}')}
        <mj-text>
          ${GREETING}<br /><br />{{ inviter | default: "An administrator" }} created an account for you at
          {{ site }}.
        </mj-text>
        <mj-button href="{{ url }}">{% if validity %}Set your password{% else %}Sign in{% endif %}</mj-button>
${small(`{% if validity %}The link can be used once and expires in {{ validity }}. {% endif %}If you did not
          expect this e-mail, ignore it.`)}`),
      text: `${GREETING}

{{ inviter | default: "An administrator" }} created an account for you at {{ site }}.

{% if validity %}Set your password{% else %}Sign in{% endif %}: {{ url }}

{% if validity %}The link can be used once and expires in {{ validity }}. {% endif %}If you did not expect this \
e-mail, ignore it.
`,
      sample: { ...ACCOUNT_SAMPLE, inviter: 'Grace Hopper', validity: 'seven days' },
    },
  ],
  [
    'account-password-reset',
    {
      subject: 'Choose a new password for {{ product }} ({{ site }})',
      html: frame(`${heading('Choose a new password')}
        <mj-text>${GREETING}<br /><br />A new password for your account at {{ site }} was requested.</mj-text>
        <mj-button href="{{ url }}">Choose a new password</mj-button>
${small(`The link can be used once and expires in {{ validity }}. If you did not request this, ignore this e-mail:
          your password stays the same.`)}`),
      text: `${GREETING}

A new password for your account at {{ site }} was requested.

Choose a new password: {{ url }}

The link can be used once and expires in {{ validity }}. If you did not request this, ignore this e-mail: your \
password stays the same.
`,
      sample: { ...ACCOUNT_SAMPLE, validity: 'one hour' },
    },
  ],
  [
    'account-password-changed',
    {
      subject: 'Your password for {{ product }} ({{ site }}) was changed',
      html: frame(`${heading('Your password was changed')}
        <mj-text>
          ${GREETING}<br /><br />The password of your account at {{ site }} was changed. All other sessions and all
          access tokens have ended.
        </mj-text>
${small(`If this was not you, choose a new password and inform your administrator:
          <a href="{{ url }}">{{ url }}</a>`)}`),
      text: `${GREETING}

The password of your account at {{ site }} was changed. All other sessions and all access tokens have ended.

If this was not you, choose a new password and inform your administrator: {{ url }}
`,
      sample: { ...ACCOUNT_SAMPLE, url: 'https://files.example.org/forgot-password' },
    },
  ],
];

import { type MailSettings, SECURITIES, useMailSettings } from '../../api/mail.ts';
import { Facts } from '../../components/Facts.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { MailTestForm, TelegramTestForm } from './TestForm.tsx';

/** The mail settings of the server, with test forms. */
export function SettingsTab() {
  const settings = useMailSettings();
  return (
    <QueryContent query={settings}>
      {(data) => (
        <div className="panel-stack">
          <SmtpPanel settings={data} />
          <TelegramPanel settings={data} />
          <OtherPanel settings={data} />
        </div>
      )}
    </QueryContent>
  );
}

function SmtpPanel({ settings: { smtp, sender, dkim } }: { settings: MailSettings }) {
  return (
    <Panel
      title="Mail server"
      description={
        smtp
          ? 'Set by environment variables of the server.'
          : 'Not set up: mail stays in the sandbox. Set POSTHOUSE_SMTP_URL and POSTHOUSE_MAIL_FROM.'
      }
    >
      {smtp && (
        <Facts
          facts={[
            ['Host', `${smtp.host}:${smtp.port}`],
            ['Security', SECURITIES[smtp.security as keyof typeof SECURITIES] ?? smtp.security],
            ['Certificate', !smtp.verifyTls && 'not verified'],
            ['Authentication', smtp.signsIn ? 'yes' : 'no'],
            ['Sender', sender ?? '–'],
            ['DKIM', dkim ? `${dkim.selector}._domainkey.${dkim.domain}` : 'not signed'],
          ]}
        />
      )}
      <MailTestForm />
    </Panel>
  );
}

function TelegramPanel({ settings: { telegram } }: { settings: MailSettings }) {
  return (
    <Panel
      title="Telegram bot"
      description={
        telegram.configured
          ? 'The bot is set up.'
          : 'Not set up: messages of clients without their own bot stay in the sandbox. Set POSTHOUSE_TELEGRAM_TOKEN.'
      }
    >
      <Facts facts={[['Server', telegram.apiUrl]]} />
      <TelegramTestForm />
    </Panel>
  );
}

function OtherPanel({ settings }: { settings: MailSettings }) {
  return (
    <Panel title="Other settings" description="Set by environment variables of the server.">
      <Facts
        facts={[
          ['Visitor location', settings.places],
          ['Open tracking', settings.trackOpens ? 'on request' : 'disabled'],
          [
            'Mail servers of clients',
            settings.allowPrivateHosts ? 'private addresses allowed' : 'public addresses only',
          ],
          ['Allowed origins', settings.corsOrigins.join(', ') || '–'],
        ]}
      />
    </Panel>
  );
}

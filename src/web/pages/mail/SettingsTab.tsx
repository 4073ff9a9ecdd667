import { type MailSettings, useMailSettings } from '../../api/mail.ts';
import { Facts } from '../../components/Facts.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';
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
    <Panel title={texts.server} description={smtp ? texts.settingsHint : texts.serverNone}>
      {smtp && (
        <Facts
          facts={[
            [texts.host, `${smtp.host}:${smtp.port}`],
            [
              texts.security,
              texts.securities[smtp.security as keyof typeof texts.securities] ?? smtp.security,
            ],
            [texts.certificate, !smtp.verifyTls && texts.certificateAny],
            [texts.authentication, smtp.signsIn ? texts.yes : texts.no],
            [texts.sender, sender ?? '–'],
            [texts.dkim, dkim ? `${dkim.selector}._domainkey.${dkim.domain}` : texts.dkimNone],
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
      title={texts.telegramBot}
      description={telegram.configured ? texts.telegramSet : texts.telegramNone}
    >
      <Facts facts={[[texts.telegramApi, telegram.apiUrl]]} />
      <TelegramTestForm />
    </Panel>
  );
}

function OtherPanel({ settings }: { settings: MailSettings }) {
  return (
    <Panel title={texts.other} description={texts.settingsHint}>
      <Facts
        facts={[
          [texts.geolocation, settings.places],
          [texts.opens, settings.trackOpens ? texts.opensOn : texts.opensOff],
          [texts.privateHosts, settings.allowPrivateHosts ? texts.privateHostsOn : texts.privateHostsOff],
          [texts.cors, settings.corsOrigins.join(', ') || '–'],
        ]}
      />
    </Panel>
  );
}

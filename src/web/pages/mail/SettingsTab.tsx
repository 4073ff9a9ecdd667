import { type MailSettings, SECURITIES, useMailSettings } from '../../api/mail.ts';
import { Facts } from '../../components/Facts.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { texts as common } from '../../texts.ts';
import { MailTestForm, TelegramTestForm } from './TestForm.tsx';
import { texts } from './texts.ts';

/** The e-mail settings of the server, with test forms. */
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
    <Panel title={common.mailServer} description={smtp ? texts.setByEnvironment : texts.noMailServer}>
      {smtp && (
        <Facts
          facts={[
            [texts.host, `${smtp.host}:${smtp.port}`],
            [texts.security, SECURITIES[smtp.security]],
            [texts.certificate, !smtp.verifyTls && texts.notVerified],
            [texts.authentication, smtp.signsIn ? texts.yes : texts.no],
            [texts.sender, sender ?? '–'],
            [texts.dkim, dkim ? `${dkim.selector}._domainkey.${dkim.domain}` : texts.notSigned],
          ]}
        />
      )}
      <MailTestForm />
    </Panel>
  );
}

function TelegramPanel({ settings: { telegram } }: { settings: MailSettings }) {
  return (
    <Panel title={texts.telegramBot} description={telegram.configured ? texts.botSetUp : texts.noBot}>
      <Facts facts={[[texts.server, telegram.apiUrl]]} />
      <TelegramTestForm />
    </Panel>
  );
}

function OtherPanel({ settings }: { settings: MailSettings }) {
  return (
    <Panel title={texts.otherSettings} description={texts.setByEnvironment}>
      <Facts
        facts={[
          [texts.visitorLocation, settings.places === 'countries' ? texts.countries : texts.ownDatabase],
          [texts.openTracking, settings.trackOpens ? texts.onRequest : texts.disabled],
          [texts.clientServers, settings.allowPrivateHosts ? texts.privateAllowed : texts.publicOnly],
          [texts.origins, settings.corsOrigins.join(', ') || '–'],
        ]}
      />
    </Panel>
  );
}

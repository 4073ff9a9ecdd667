import type { ReactNode } from 'react';
import { type MailSettings, sendTestMail, sendTestTelegram, useMailSettings } from '../../api/mail.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';
import { TestForm } from './TestForm.tsx';

/** How the operator has set mail up, each part with a way to try it. */
export function SettingsTab() {
  const settings = useMailSettings();
  return (
    <Loaded query={settings}>
      {(data) => (
        <div className="panel-stack">
          <SmtpPanel settings={data} />
          <TelegramPanel settings={data} />
          <OtherPanel settings={data} />
        </div>
      )}
    </Loaded>
  );
}

function SmtpPanel({ settings: { smtp, sender, dkim } }: { settings: MailSettings }) {
  return (
    <Panel title={texts.server} about={smtp ? texts.settingsAbout : texts.serverNone}>
      {smtp && (
        <Facts
          facts={{
            [texts.host]: `${smtp.host}:${smtp.port}`,
            [texts.security]: texts.securities[smtp.security as keyof typeof texts.securities] ?? smtp.security,
            ...(smtp.verifyTls ? {} : { [texts.certificate]: texts.certificateAny }),
            [texts.signsIn]: smtp.signsIn ? texts.yes : texts.no,
            [texts.defaultSender]: sender ?? '–',
            [texts.dkim]: dkim ? `${dkim.selector}._domainkey.${dkim.domain}` : texts.dkimNone,
          }}
        />
      )}
      <TestForm
        label={texts.testTo}
        placeholder="you@example.org"
        type="email"
        message={texts.testMailText}
        send={(to, text) => sendTestMail({ to, subject: texts.testMailSubject, text })}
      />
    </Panel>
  );
}

function TelegramPanel({ settings: { telegram } }: { settings: MailSettings }) {
  return (
    <Panel title={texts.telegramBot} about={telegram.configured ? texts.telegramSet : texts.telegramNone}>
      <Facts facts={{ [texts.telegramApi]: telegram.apiUrl }} />
      <TestForm
        label={texts.testTelegramTo}
        placeholder="@your_channel"
        about={texts.testTelegramAbout}
        message={texts.testTelegram}
        send={(to, message) => sendTestTelegram({ to, message })}
      />
    </Panel>
  );
}

function OtherPanel({ settings }: { settings: MailSettings }) {
  return (
    <Panel title={texts.other} about={texts.settingsAbout}>
      <Facts
        facts={{
          [texts.places]: settings.places,
          [texts.opens]: settings.trackOpens ? texts.opensOn : texts.opensOff,
          [texts.privateHosts]: settings.allowPrivateHosts ? texts.privateHostsOn : texts.privateHostsOff,
          [texts.cors]: settings.corsOrigins.length > 0 ? settings.corsOrigins.join(', ') : '–',
        }}
      />
    </Panel>
  );
}

function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <dl className="facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

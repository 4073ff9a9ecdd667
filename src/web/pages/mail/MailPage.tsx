import { Tabs } from '@mantine/core';
import { useLocation, useRoute } from 'wouter';
import { ApiDocs } from '../../components/ApiDocs.tsx';
import { Page } from '../../components/Page.tsx';
import { texts as common } from '../../texts.ts';
import { ClientsTab } from './ClientsTab.tsx';
import { SettingsTab } from './SettingsTab.tsx';
import { SpamTab } from './SpamTab.tsx';
import { TemplateEditor } from './TemplateEditor.tsx';
import { NEW_TEMPLATE, TemplatesTab } from './TemplatesTab.tsx';
import { texts } from './texts.ts';

const TABS = [
  { name: 'clients', label: common.clients, Content: ClientsTab },
  { name: 'templates', label: texts.templates, Content: TemplatesTab },
  { name: 'settings', label: common.settings, Content: SettingsTab },
  { name: 'spam', label: common.spam, Content: SpamTab },
] as const;

/** Mail clients, templates, settings and spam, as tabs. */
export function MailPage() {
  const [, navigate] = useLocation();
  const [, parameters] = useRoute('/admin/mail/:tab?/:name?');
  const { tab = 'clients', name } = parameters ?? {};
  if (tab === 'templates' && name !== undefined)
    return <TemplateEditor key={name} name={name === NEW_TEMPLATE ? null : decodeURIComponent(name)} />;
  return (
    <Page
      title={common.mail}
      description={
        <>
          {texts.description} <ApiDocs />
        </>
      }
    >
      <Tabs
        value={TABS.some((known) => known.name === tab) ? tab : 'clients'}
        onChange={(chosen) => navigate(chosen === 'clients' ? '/admin/mail' : `/admin/mail/${chosen}`)}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {TABS.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, Content }) => (
          <Tabs.Panel key={name} value={name}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

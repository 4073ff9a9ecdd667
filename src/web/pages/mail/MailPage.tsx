import { Tabs } from '@mantine/core';
import { useLocation, useRoute } from 'wouter';
import { Page } from '../../components/Page.tsx';
import { ClientsTab } from './ClientsTab.tsx';
import { SettingsTab } from './SettingsTab.tsx';
import { SpamTab } from './SpamTab.tsx';
import { TemplateEditor } from './TemplateEditor.tsx';
import { TemplatesTab } from './TemplatesTab.tsx';

const TABS = { clients: 'Clients', templates: 'Templates', settings: 'Settings', spam: 'Spam' };
type Tab = keyof typeof TABS;
const NAMES = Object.keys(TABS) as Tab[];
/** Address of the editor for a new template; not a valid template name. */
const NEW = '_new';

/** Mail clients, templates, settings and spam, as tabs. */
export function MailPage() {
  const [, navigate] = useLocation();
  const [, parameters] = useRoute('/admin/mail/:tab?/:name?');
  const tab = NAMES.find((known) => known === parameters?.tab) ?? 'clients';
  const { name } = parameters ?? {};
  if (tab === 'templates' && name !== undefined) {
    return <TemplateEditor key={name} name={name === NEW ? null : decodeURIComponent(name)} />;
  }
  return (
    <Page
      title="Mail"
      description="Applications that send mail, Telegram messages and contact forms through this server."
    >
      <Tabs value={tab} onChange={(value) => navigate(addressOf(value as Tab))} keepMounted={false}>
        <Tabs.List mb="lg">
          {NAMES.map((known) => (
            <Tabs.Tab key={known} value={known}>
              {TABS[known]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="clients">
          <ClientsTab />
        </Tabs.Panel>
        <Tabs.Panel value="templates">
          <TemplatesTab newAddress={`/admin/mail/templates/${NEW}`} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab />
        </Tabs.Panel>
        <Tabs.Panel value="spam">
          <SpamTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const addressOf = (tab: Tab) => (tab === 'clients' ? '/admin/mail' : `/admin/mail/${tab}`);

import { ROLES } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { TokensPanel } from './TokensPanel.tsx';

/** The account of the signed-in person: profile, tokens, sessions and password. */
export function AccountPage({ me }: { me: Me }) {
  return (
    <Page title="Account">
      <div className="panel-stack">
        <Panel title="Profile">
          <Facts
            facts={[
              ['Name', me.name || '–'],
              ['E-mail address', me.email],
              ['Role', ROLES[me.role]],
            ]}
          />
        </Panel>
        <TokensPanel />
        <SessionsPanel />
        <PasswordPanel email={me.email} />
      </div>
    </Page>
  );
}

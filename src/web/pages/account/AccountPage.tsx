import type { Me } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { peopleTexts, accountTexts as texts } from '../../texts/accounts.ts';
import { common } from '../../texts/common.ts';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { TokensPanel } from './TokensPanel.tsx';

/** The account of the signed-in person: profile, tokens, sessions and password. */
export function AccountPage({ me }: { me: Me }) {
  return (
    <Page title={texts.title}>
      <div className="panel-stack">
        <Panel title={texts.profile}>
          <Facts
            facts={[
              [common.name, me.name || '–'],
              [texts.email, me.email],
              [texts.role, peopleTexts.roles[me.role]],
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

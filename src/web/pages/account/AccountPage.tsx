import { ROLES } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { texts as common } from '../../texts.ts';
import { LanguageSelect } from './LanguageSelect.tsx';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { TokensPanel } from './TokensPanel.tsx';
import { texts } from './texts.ts';

/** The account of the signed-in person: profile, tokens, sessions and password. */
export function AccountPage({ me }: { me: Me }) {
  return (
    <Page title={common.account}>
      <div className="panel-stack">
        <Panel title={texts.profile}>
          <Facts
            facts={[
              [common.name, me.name || '–'],
              [common.emailAddress, me.email],
              [common.role, ROLES[me.role]],
              [texts.language, <LanguageSelect key="language" language={me.language} />],
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

import type { PageProps } from '../../app/Pages.tsx';
import { Page } from '../../parts/Page.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { peopleTexts, accountTexts as texts } from '../../texts/people.ts';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { TokensPanel } from './TokensPanel.tsx';

/** One's own account: who one is, where one is signed in, and tokens for scripts. */
export function AccountPage({ me }: PageProps) {
  return (
    <Page title={texts.title}>
      <div className="panel-stack">
        <Panel title={texts.profile}>
          <dl className="facts">
            <dt>{texts.name}</dt>
            <dd>{me.name || '–'}</dd>
            <dt>{texts.email}</dt>
            <dd>{me.email}</dd>
            <dt>{texts.role}</dt>
            <dd>{peopleTexts.roles[me.role]}</dd>
          </dl>
        </Panel>
        <TokensPanel />
        <SessionsPanel />
        <PasswordPanel email={me.email} />
      </div>
    </Page>
  );
}

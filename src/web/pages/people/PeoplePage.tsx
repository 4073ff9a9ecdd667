import { Button } from '@mantine/core';
import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { type Person, usePeople } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { peopleTexts as texts } from '../../texts/accounts.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { PersonRow } from './PersonRow.tsx';

/** All accounts: invite people, change roles, disable accounts. */
export function PeoplePage({ me }: { me: Me }) {
  const people = usePeople();
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<{ person: Pick<Person, 'email' | 'name'>; link: string } | null>(null);
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <Button leftSection={<UserRoundPlus size={17} />} onClick={() => setInviting(true)}>
          {texts.invite}
        </Button>
      }
    >
      <div className="panel-stack">
        {link && (
          <SecretNotice
            title={texts.linkTitle(link.person.name || link.person.email)}
            description={texts.linkHint}
            values={{ [texts.link]: link.link }}
          />
        )}
        <Panel title={texts.list} flush>
          <QueryContent query={people}>
            {(list) => (
              <Rows label={texts.list}>
                {list.map((person) => (
                  <PersonRow
                    key={person.id}
                    person={person}
                    isMe={person.id === me.id}
                    showLink={(created) => setLink({ person, link: created })}
                  />
                ))}
              </Rows>
            )}
          </QueryContent>
        </Panel>
      </div>
      {inviting && (
        <InviteDialog
          close={() => setInviting(false)}
          onInvited={(person) => {
            if (person.passwordLink) setLink({ person, link: person.passwordLink });
          }}
        />
      )}
    </Page>
  );
}

import { Button } from '@mantine/core';
import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { type Person, usePeople } from '../../api/people.ts';
import type { PageProps } from '../../app/Pages.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { Page } from '../../parts/Page.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { Secret } from '../../parts/Secret.tsx';
import { peopleTexts as texts } from '../../texts/people.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { PersonRow } from './PersonRow.tsx';

/** Accounts: invite, give roles, disable. */
export function PeoplePage({ me }: PageProps) {
  const people = usePeople();
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<{ person: Pick<Person, 'email' | 'name'>; link: string } | null>(null);
  return (
    <Page
      title={texts.title}
      about={texts.about}
      actions={
        <Button leftSection={<UserRoundPlus size={17} />} onClick={() => setInviting(true)}>
          {texts.invite}
        </Button>
      }
    >
      <div className="panel-stack">
        {link && (
          <Secret
            title={texts.linkTitle(link.person.name || link.person.email)}
            about={texts.linkAbout}
            values={{ [texts.link]: link.link }}
            copy={texts.copy}
          />
        )}
        <Panel title={texts.list} flush>
          <Loaded query={people}>
            {(list) => (
              <Rows label={texts.list}>
                {list.map((person) => (
                  <PersonRow
                    key={person.id}
                    person={person}
                    isMe={person.id === me.id}
                    showLink={(made) => setLink({ person, link: made })}
                  />
                ))}
              </Rows>
            )}
          </Loaded>
        </Panel>
      </div>
      {inviting && (
        <InviteDialog
          close={() => setInviting(false)}
          invited={(person) => {
            if (person.passwordLink) setLink({ person, link: person.passwordLink });
          }}
        />
      )}
    </Page>
  );
}

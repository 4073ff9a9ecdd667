import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { useMailDelivery } from '../../api/mail.ts';
import { type Person, usePeople } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { DialogButton } from '../../components/DialogButton.tsx';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryRows } from '../../components/Rows.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { texts as common } from '../../texts.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { PersonRow } from './PersonRow.tsx';
import { texts } from './texts.ts';

interface PasswordLink {
  person: Pick<Person, 'email' | 'name'>;
  link: string;
}

/** All accounts: invite people, change roles, disable accounts. */
export function PeoplePage({ me }: { me: Me }) {
  const people = usePeople();
  const delivery = useMailDelivery();
  const [link, setLink] = useState<PasswordLink | null>(null);
  return (
    <Page
      title={common.people}
      description={texts.description}
      actions={
        <DialogButton
          label={common.invitePerson}
          icon={<UserRoundPlus size={17} />}
          variant="filled"
          fragment="#new"
          dialog={(close) => (
            <InviteDialog
              delivery={delivery}
              close={close}
              showLink={(person, created) => setLink({ person, link: created })}
            />
          )}
        />
      }
    >
      <div className="panel-stack">
        {link && <LinkNotice {...link} />}
        <Panel title={texts.accounts} flush>
          <QueryRows
            query={people}
            label={texts.accounts}
            row={(person) => (
              <PersonRow
                key={person.id}
                person={person}
                isMe={person.id === me.id}
                hasMail={delivery !== null}
                showLink={(created) => setLink({ person, link: created })}
              />
            )}
          />
        </Panel>
      </div>
    </Page>
  );
}

function LinkNotice({ person, link }: PasswordLink) {
  return (
    <SecretNotice
      title={texts.passwordLinkFor(person.name || person.email)}
      description={texts.passwordLinkText}
      values={{ Link: link }}
    />
  );
}

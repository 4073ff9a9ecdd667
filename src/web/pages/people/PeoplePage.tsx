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
import { InviteDialog } from './InviteDialog.tsx';
import { PersonRow } from './PersonRow.tsx';

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
      title="People"
      description="Accounts that can sign in, and their roles."
      actions={
        <DialogButton
          label="Invite person"
          icon={<UserRoundPlus size={17} />}
          variant="filled"
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
        <Panel title="Accounts" flush>
          <QueryRows
            query={people}
            label="Accounts"
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
      title={`Password link for ${person.name || person.email}`}
      description={
        'Send this link to the person. It sets a password, works once and expires in seven days. ' +
        'It is shown only now.'
      }
      values={{ Link: link }}
    />
  );
}

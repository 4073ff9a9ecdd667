import { Badge, NativeSelect } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { useAccountChange } from '../../api/account.ts';
import { changePerson, createPasswordLink, type Person, ROLES, sendPasswordLink } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { Actions, confirmedAction, enableAction } from '../../components/actions.tsx';
import { attempt } from '../../components/notify.tsx';
import { optionsOf } from '../../components/options.ts';
import { Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { texts as common } from '../../texts.ts';
import { notifyMail } from './mail-result.ts';
import { texts } from './texts.ts';

interface PersonRowProps {
  person: Person;
  isMe: boolean;
  /** Whether the mail service is enabled. */
  hasMail: boolean;
  showLink(link: string): void;
}

export function PersonRow(props: PersonRowProps) {
  const { person, isMe } = props;
  const { email, name, disabled, dateSignedIn } = person;
  return (
    <Row
      id={person.id}
      icon={<UserRound size={18} />}
      title={name || email}
      disabled={disabled}
      badges={
        <>
          {isMe && <Badge variant="light">{common.you}</Badge>}
          {person.invited && <Badge color="gray">{texts.invited}</Badge>}
        </>
      }
      description={
        <>
          {name && `${email} · `}
          {dateSignedIn ? texts.lastSignedIn : texts.neverSignedIn}{' '}
          {dateSignedIn && <Time value={dateSignedIn} />}
        </>
      }
      actions={<PersonActions {...props} />}
    />
  );
}

function PersonActions({
  person: { id, email, name, role, disabled, issuer, dateSignedIn },
  isMe,
  hasMail,
  showLink,
}: PersonRowProps) {
  const change = useAccountChange();
  const shownName = name || email;
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={texts.roleOf(shownName)}
        value={role}
        disabled={isMe || change.isPending}
        onChange={(event) => {
          const role = event.currentTarget.value as Me['role'];
          change.mutate(() => changePerson(id, { role }));
        }}
        data={optionsOf(ROLES)}
      />
      <Actions
        name={shownName}
        menu={[
          issuer === 'local' && {
            label: texts.createLink,
            run: () => void attempt(async () => showLink((await createPasswordLink(id)).link)),
          },
          issuer === 'local' &&
            hasMail &&
            !disabled && {
              label: dateSignedIn ? texts.mailLink : texts.mailInvitation,
              run: () => void attempt(async () => notifyMail(await sendPasswordLink(id), email)),
            },
          disabled && enableAction(false, () => change.mutate(() => changePerson(id, { disabled: false }))),
          !disabled &&
            !isMe &&
            confirmedAction({
              label: common.disable,
              title: texts.disableTitle(shownName),
              text: texts.disableText,
              confirm: () => change.mutateAsync(() => changePerson(id, { disabled: true })),
            }),
        ]}
      />
    </>
  );
}

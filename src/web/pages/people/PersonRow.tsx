import { ActionIcon, Badge, Menu, NativeSelect } from '@mantine/core';
import { Ban, CircleCheck, EllipsisVertical, KeyRound, UserRound } from 'lucide-react';
import { useState } from 'react';
import { makePasswordLink, type Person, useChangePerson } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Row } from '../../parts/Rows.tsx';
import { Time } from '../../parts/Time.tsx';
import { attempt } from '../../parts/tell.tsx';
import { peopleTexts as texts } from '../../texts/people.ts';

interface PersonRowProps {
  person: Person;
  isMe: boolean;
  showLink(link: string): void;
}

export function PersonRow({ person, isMe, showLink }: PersonRowProps) {
  const change = useChangePerson();
  const [asking, setAsking] = useState(false);
  const { id, email, name, role, disabled } = person;
  const called = name || email;
  return (
    <Row
      icon={<UserRound size={18} />}
      title={called}
      faded={disabled}
      signs={
        <>
          {isMe && <Badge variant="light">{texts.you}</Badge>}
          {disabled && <Badge color="red">{texts.disabled}</Badge>}
          {person.invited && <Badge color="gray">{texts.invited}</Badge>}
        </>
      }
      about={
        <>
          {name && `${email} · `}
          {person.dateSignedIn ? (
            <>
              {texts.signedIn} <Time value={person.dateSignedIn} />
            </>
          ) : (
            texts.neverSignedIn
          )}
        </>
      }
      actions={
        <>
          <NativeSelect
            size="xs"
            aria-label={texts.roleOf(called)}
            value={role}
            disabled={isMe || change.isPending}
            onChange={(event) => change.mutate({ id, role: event.currentTarget.value as Me['role'] })}
            data={Object.entries(texts.roles).map(([value, label]) => ({ value, label }))}
          />
          <Menu position="bottom-end" shadow="md" withinPortal>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`${called} …`}>
                <EllipsisVertical size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {person.issuer === 'local' && (
                <Menu.Item
                  leftSection={<KeyRound size={16} />}
                  onClick={() => void attempt(async () => showLink((await makePasswordLink(id)).link))}
                >
                  {texts.passwordLink}
                </Menu.Item>
              )}
              {disabled ? (
                <Menu.Item leftSection={<CircleCheck size={16} />} onClick={() => change.mutate({ id, disabled: false })}>
                  {texts.enable}
                </Menu.Item>
              ) : (
                <Menu.Item color="var(--bad)" disabled={isMe} leftSection={<Ban size={16} />} onClick={() => setAsking(true)}>
                  {texts.disable}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </>
      }
    >
      {asking && (
        <ConfirmDialog
          title={texts.disableQuestion(called)}
          text={texts.disableText}
          button={texts.disable}
          confirm={() => change.mutateAsync({ id, disabled: true })}
          close={() => setAsking(false)}
        />
      )}
    </Row>
  );
}

import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { Link } from 'wouter';
import { useChatClients } from '../../api/chat.ts';
import { useMailClients } from '../../api/mail.ts';
import { useOverview } from '../../api/overview.ts';
import { usePeople } from '../../api/people.ts';
import { useAllWorkspaces } from '../../api/workspace-administration.ts';
import { Panel } from '../../components/Panel.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

type Facts = NonNullable<ReturnType<typeof useFacts>>;

const STEPS = [
  {
    title: common.mailServer,
    hint: texts.mailStep,
    href: '/admin/mail/settings',
    action: texts.showSettings,
    isDone: ({ parts }: Facts) =>
      parts.some(({ name, ok, detail }) => name === 'smtp' && ok && !/sandbox/i.test(detail)),
  },
  {
    title: texts.publicAddress,
    hint: texts.addressStep,
    href: null,
    action: null,
    isDone: ({ publicUrl }: Facts) => publicUrl.startsWith('https:'),
  },
  {
    title: texts.application,
    hint: texts.applicationStep,
    href: '/admin/mail#new',
    action: texts.createClient,
    isDone: ({ clients }: Facts) => clients > 0,
  },
  {
    title: common.people,
    hint: texts.peopleStep,
    href: '/admin/people#new',
    action: common.invitePerson,
    isDone: ({ people }: Facts) => people > 1,
  },
  {
    title: texts.firstFile,
    hint: texts.fileStep,
    href: '/files',
    action: common.upload,
    isDone: ({ usedBytes }: Facts) => usedBytes > 0,
  },
] as const;

/** Steps to set up a new server. Hidden once everything is done, or by a button. */
export function FirstSteps() {
  const [hidden, setHidden] = useLocalStorage({
    key: 'posthouse-first-steps-hidden',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const facts = useFacts();
  if (hidden || !facts) return null;
  const steps = STEPS.map((step) => ({ ...step, done: step.isDone(facts) }));
  const count = steps.filter(({ done }) => done).length;
  if (count === steps.length) return null;
  return (
    <Panel
      title={texts.firstSteps}
      description={texts.doneOf(count, steps.length)}
      actions={
        <Button size="xs" variant="subtle" onClick={() => setHidden(true)}>
          {texts.hide}
        </Button>
      }
      flush
    >
      <Rows label={texts.firstSteps}>
        {steps.map(({ title, hint, href, action, done }) => (
          <Row
            key={title}
            icon={<DoneIcon done={done} />}
            title={title}
            description={!done && hint}
            faint={done}
            actions={
              !done &&
              href && (
                <Button component={Link} href={href} size="xs" variant="default">
                  {action}
                </Button>
              )
            }
          />
        ))}
      </Rows>
    </Panel>
  );
}

const DoneIcon = ({ done }: { done: boolean }) => (
  <span role="img" aria-label={done ? texts.done : texts.toDo} className={done ? 'good-icon' : 'dimmed-icon'}>
    {done ? <CircleCheck size={18} /> : <CircleDashed size={18} />}
  </span>
);

/** The facts that the steps depend on; null while they load. A disabled service has no clients. */
function useFacts() {
  const overview = useOverview().data;
  const people = usePeople().data;
  const workspaces = useAllWorkspaces().data ?? [];
  const chatClients = useChatClients().data ?? [];
  const mailClients = useMailClients().data ?? [];
  if (!overview || !people) return null;
  return {
    ...overview,
    people: people.length,
    clients: chatClients.length + mailClients.length,
    usedBytes: workspaces.reduce((sum, { usedBytes }) => sum + usedBytes, 0),
  };
}

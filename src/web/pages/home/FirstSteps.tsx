import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { Link } from 'wouter';
import { useChatClients } from '../../api/chat.ts';
import { useMailClients } from '../../api/mail.ts';
import { useOverview, useWorkspaces } from '../../api/overview.ts';
import { usePeople } from '../../api/people.ts';
import { Panel } from '../../components/Panel.tsx';
import { Row, Rows } from '../../components/Rows.tsx';

/** What to set up on a new server. Hidden once everything is done, or by a button. */
export function FirstSteps() {
  const [hidden, setHidden] = useLocalStorage({
    key: 'posthouse-first-steps-hidden',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const steps = useSteps();
  if (hidden || !steps || steps.every(({ done }) => done)) return null;
  return (
    <Panel
      title="First steps"
      description={`${steps.filter(({ done }) => done).length} of ${steps.length} done`}
      actions={
        <Button size="xs" variant="subtle" onClick={() => setHidden(true)}>
          Hide
        </Button>
      }
      flush
    >
      <Rows label="First steps">
        {steps.map(({ title, hint, done, href, action }) => (
          <Row
            key={title}
            icon={
              <span
                role="img"
                aria-label={done ? 'Done' : 'To do'}
                className={done ? 'good-icon' : 'dimmed-icon'}
              >
                {done ? <CircleCheck size={18} /> : <CircleDashed size={18} />}
              </span>
            }
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

/** Returns null until everything is loaded. */
function useSteps() {
  const overview = useOverview().data;
  const people = usePeople().data;
  const workspaces = useWorkspaces().data;
  const chatClients = useChatClients().data;
  const mailClients = useMailClients().data;
  if (!overview || !people) return null;
  const hasMail = overview.parts.some(
    ({ name, ok, detail }) => name === 'smtp' && ok && !/sandbox/.test(detail),
  );
  return [
    {
      title: 'Mail server',
      hint: 'Set POSTHOUSE_SMTP_URL and POSTHOUSE_MAIL_FROM, restart the server, and send a test.',
      done: hasMail,
      href: '/admin/mail/settings',
      action: 'Show settings',
    },
    {
      title: 'Public address',
      hint: 'Set POSTHOUSE_PUBLIC_URL to the https address that people use.',
      done: overview.publicUrl.startsWith('https:'),
      href: null,
      action: null,
    },
    {
      title: 'Application',
      hint: 'Create a client for an application that sends mail or chat messages.',
      done: [...(chatClients ?? []), ...(mailClients ?? [])].length > 0,
      href: '/admin/mail',
      action: 'Create client',
    },
    {
      title: 'People',
      hint: 'Invite the people of your team.',
      done: people.length > 1,
      href: '/admin/people',
      action: 'Invite person',
    },
    {
      title: 'First file',
      hint: 'Upload a file and share it with a link.',
      done: workspaces?.some(({ usedBytes }) => usedBytes > 0) ?? false,
      href: '/files',
      action: 'Upload',
    },
  ];
}

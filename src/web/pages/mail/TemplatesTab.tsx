import { Badge, Button, Group, Text } from '@mantine/core';
import { LayoutTemplate, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { useTemplates } from '../../api/templates.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Row } from '../../parts/Rows.tsx';
import { Time } from '../../parts/Time.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';

/** All templates; each opens in the editor. */
export function TemplatesTab({ newAddress }: { newAddress: string }) {
  const templates = useTemplates();
  return (
    <div className="panel-stack">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {texts.templatesAbout}
        </Text>
        <Button component={Link} href={newAddress} leftSection={<Plus size={17} />}>
          {texts.newTemplate}
        </Button>
      </Group>
      <Loaded query={templates}>
        {(list) => (
          <ul className="rows boxed-rows" aria-label={texts.tabs.templates}>
            {list.map(({ name, subject, bundled, version, dateModified }) => (
              <Row
                key={name}
                icon={<LayoutTemplate size={18} />}
                title={
                  <Link href={`/admin/mail/templates/${encodeURIComponent(name)}`} className="row-link">
                    {name}
                  </Link>
                }
                signs={<Badge color="gray">{bundled ? texts.bundled : texts.version(version)}</Badge>}
                about={
                  <>
                    {subject}
                    {dateModified && (
                      <>
                        {` · ${texts.changed} `}
                        <Time value={dateModified} />
                      </>
                    )}
                  </>
                }
              />
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}

import { Badge, Button, Group, Text } from '@mantine/core';
import { LayoutTemplate, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { type Template, useTemplates } from '../../api/templates.ts';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';

/** All templates, with links to the editor. */
export function TemplatesTab({ newAddress }: { newAddress: string }) {
  const templates = useTemplates();
  return (
    <div className="panel-stack">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {texts.templatesHint}
        </Text>
        <Button component={Link} href={newAddress} leftSection={<Plus size={17} />}>
          {texts.newTemplate}
        </Button>
      </Group>
      <QueryContent query={templates}>
        {(list) => (
          <Rows boxed label={texts.tabs.templates}>
            {list.map((template) => (
              <TemplateRow key={template.name} template={template} />
            ))}
          </Rows>
        )}
      </QueryContent>
    </div>
  );
}

const TemplateRow = ({
  template: { name, subject, bundled, version, dateModified },
}: {
  template: Template;
}) => (
  <Row
    icon={<LayoutTemplate size={18} />}
    title={
      <Link href={`/admin/mail/templates/${encodeURIComponent(name)}`} className="row-link">
        {name}
      </Link>
    }
    badges={<Badge color="gray">{bundled ? texts.builtIn : texts.version(version)}</Badge>}
    description={
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
);

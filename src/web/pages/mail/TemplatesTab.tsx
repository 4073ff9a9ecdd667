import { Badge, Button, Group, Text } from '@mantine/core';
import { LayoutTemplate, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { type Template, useTemplates } from '../../api/templates.ts';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';

/** Last part of the address of the editor for a new template; not a valid template name. */
export const NEW_TEMPLATE = '_new';

/** All templates, with links to the editor. */
export function TemplatesTab() {
  const templates = useTemplates();
  return (
    <div className="panel-stack">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Applications refer to a template by TemplateName. Placeholders use Liquid, the layout can use MJML.
        </Text>
        <Button
          component={Link}
          href={`/admin/mail/templates/${NEW_TEMPLATE}`}
          leftSection={<Plus size={17} />}
        >
          New template
        </Button>
      </Group>
      <QueryRows
        query={templates}
        label="Templates"
        boxed
        row={(template) => <TemplateRow key={template.name} template={template} />}
      />
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
    badges={<Badge color="gray">{bundled ? 'Built-in' : `Version ${version}`}</Badge>}
    description={
      <>
        {subject}
        {dateModified && (
          <>
            {' · changed '}
            <Time value={dateModified} />
          </>
        )}
      </>
    }
  />
);

import { Badge, Button, Group, Text } from '@mantine/core';
import { LayoutTemplate, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { type Template, useTemplates } from '../../api/templates.ts';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { texts } from './texts.ts';

/** Last part of the address of the editor for a new template; not a valid template name. */
export const NEW_TEMPLATE = '_new';

/** All templates, with links to the editor. */
export function TemplatesTab() {
  const templates = useTemplates();
  return (
    <div className="panel-stack">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {texts.templatesText}
        </Text>
        <Button
          component={Link}
          href={`/admin/mail/templates/${NEW_TEMPLATE}`}
          leftSection={<Plus size={17} />}
        >
          {texts.newTemplate}
        </Button>
      </Group>
      <QueryRows
        query={templates}
        label={texts.templates}
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
    badges={<Badge color="gray">{bundled ? texts.builtIn : texts.version(version)}</Badge>}
    description={
      <>
        {subject}
        {dateModified && (
          <>
            {texts.changed}
            <Time value={dateModified} />
          </>
        )}
      </>
    }
  />
);

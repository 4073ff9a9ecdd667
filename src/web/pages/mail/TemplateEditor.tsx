import { Badge, Button, Group, Menu } from '@mantine/core';
import { ChevronLeft, History, Send, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { sendTestMail } from '../../api/mail.ts';
import { type Template, type TemplateSource, useTemplate, useVersions } from '../../api/templates.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { DialogButton } from '../../components/DialogButton.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Time } from '../../components/Time.tsx';
import { useUnsaved } from '../../components/unsaved.ts';
import { useDraft } from '../../components/useDraft.ts';
import { texts as common } from '../../texts.ts';
import { TemplateFields } from './TemplateFields.tsx';
import { TemplatePreview } from './TemplatePreview.tsx';
import { TestForm } from './TestForm.tsx';
import { texts } from './texts.ts';
import { TEMPLATE_LIST, useTemplateForm } from './useTemplateForm.ts';

const INITIAL: Template = {
  name: '',
  version: 0,
  bundled: false,
  dateModified: null,
  subject: texts.helloName,
  html: texts.sample(),
  text: null,
  sample: { name: 'Ada' },
};

/** Edits a template next to its preview. @param name null creates a template */
export function TemplateEditor({ name }: { name: string | null }) {
  const template = useTemplate(name);
  if (name === null) return <Editor template={INITIAL} isNew />;
  const { data } = template;
  if (data) return <Editor key={data.version} template={data} isNew={false} />;
  return (
    <Page title={name} description={<BackLink />}>
      <QueryContent query={template}>{() => null}</QueryContent>
    </Page>
  );
}

function Editor({ template, isNew }: { template: Template; isNew: boolean }) {
  const { form, source, sample, loadVersion, remove } = useTemplateForm(template, isNew);
  const unsaved = form.isDirty();
  useUnsaved(unsaved);
  useDraft(`template ${template.name}`, form);
  const save = (
    <Button type="submit" loading={form.submitting} disabled={sample === null || !(isNew || unsaved)}>
      {isNew ? texts.saveTemplate : texts.saveVersion}
    </Button>
  );
  return (
    <form onSubmit={form.submit}>
      <Page
        title={isNew ? texts.newTemplate : template.name}
        description={<Status template={template} isNew={isNew} unsaved={unsaved} />}
        actions={
          <>
            {sample && <TestButton source={source} sample={sample} />}
            {!isNew && <Versions name={template.name} current={template.version} select={loadVersion} />}
            {!isNew && !template.bundled && <DeleteButton name={template.name} remove={remove} />}
            {save}
          </>
        }
      >
        <div className="editor">
          <TemplateFields form={form} isNew={isNew} />
          <TemplatePreview source={source} sample={sample} />
        </div>
      </Page>
    </form>
  );
}

interface StatusProps {
  template: Template;
  isNew: boolean;
  unsaved: boolean;
}

const BackLink = () => (
  <Link href={TEMPLATE_LIST} className="back-link">
    <ChevronLeft size={16} aria-hidden /> {texts.allTemplates}
  </Link>
);

const Status = ({ template, isNew, unsaved }: StatusProps) => (
  <Group gap="xs" component="span">
    <BackLink />
    {!isNew && (
      <Badge color="gray">{template.bundled ? texts.builtIn : texts.version(template.version)}</Badge>
    )}
    {unsaved && <Badge color="yellow">{texts.unsaved}</Badge>}
  </Group>
);

function TestButton({ source, sample }: { source: TemplateSource; sample: Record<string, unknown> }) {
  const { subject, html, text } = source;
  return (
    <DialogButton
      label={texts.sendTest}
      icon={<Send size={16} />}
      dialog={(close) => (
        <Dialog close={close} title={texts.sendTest}>
          <TestForm
            label={common.to}
            placeholder="you@example.org"
            type="email"
            send={(to) =>
              sendTestMail({ to, subject, html: html ?? undefined, text: text ?? undefined, data: sample })
            }
          />
        </Dialog>
      )}
    />
  );
}

const DeleteButton = ({ name, remove }: { name: string; remove(): Promise<void> }) => (
  <DialogButton
    label={common.delete}
    icon={<Trash2 size={16} />}
    dialog={(close) => (
      <ConfirmDialog
        title={texts.deleteTemplate(name)}
        text={texts.deleteTemplateText}
        confirmLabel={common.delete}
        confirm={remove}
        close={close}
      />
    )}
  />
);

interface VersionsProps {
  name: string;
  current: number;
  select(version: number): void;
}

function Versions({ name, current, select }: VersionsProps) {
  const versions = useVersions(name);
  const earlier = versions.data?.filter(({ version }) => version !== current) ?? [];
  if (earlier.length === 0) return null;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<History size={16} />}>
          {texts.earlierVersions}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {earlier.map(({ version, dateCreated }) => (
          <Menu.Item key={version} onClick={() => select(version)}>
            {texts.version(version)} · <Time value={dateCreated} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

import { Badge, Button, Group, Menu, Tabs, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, History, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { deleteTemplate, getVersion, makeTemplate, saveTemplate, type Template, useTemplate, useVersions } from '../../api/templates.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { Page } from '../../parts/Page.tsx';
import { Time } from '../../parts/Time.tsx';
import { attempt, tell } from '../../parts/tell.tsx';
import { useFields } from '../../parts/useFields.ts';
import { mailTexts as texts } from '../../texts/mail.ts';
import { parseSample, TemplatePreview } from './TemplatePreview.tsx';

const LIST = '/admin/mail/templates';
const EMPTY: Template = {
  name: '',
  version: 0,
  bundled: false,
  dateModified: null,
  subject: 'Hello {{ name }}',
  html: `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>Hello {{ name }},</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`,
  text: null,
  sample: { name: 'Ada' },
};

/** Writes a template and shows beside it what comes of it. @param name null = a new one */
export function TemplateEditor({ name }: { name: string | null }) {
  const template = useTemplate(name);
  if (name === null) return <Editor template={EMPTY} isNew />;
  return <Loaded query={template}>{(data) => <Editor key={data.version} template={data} isNew={false} />}</Loaded>;
}

function Editor({ template, isNew }: { template: Template; isNew: boolean }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const fields = useFields({
    name: template.name,
    subject: template.subject,
    html: template.html ?? '',
    text: template.text ?? '',
    sample: JSON.stringify(template.sample, null, 2),
  });
  const { values } = fields;
  const sample = parseSample(values.sample);
  const source = { subject: values.subject, html: values.html === '' ? null : values.html, text: values.text === '' ? null : values.text };

  const submit = fields.submit(async () => {
    const wanted = { ...source, sample: sample ?? {} };
    const saved = isNew ? await makeTemplate({ ...wanted, name: values.name }) : await saveTemplate(template.name, wanted);
    client.setQueryData(['mail', 'templates', saved.name], saved);
    await client.invalidateQueries({ queryKey: ['mail', 'templates'] });
    tell(texts.saved);
    if (isNew) navigate(`${LIST}/${encodeURIComponent(saved.name)}`, { replace: true });
  });
  const restore = (version: number) =>
    void attempt(async () => {
      const earlier = await getVersion(template.name, version);
      fields.reset({
        ...values,
        subject: earlier.subject,
        html: earlier.html ?? '',
        text: earlier.text ?? '',
        sample: JSON.stringify(earlier.sample, null, 2),
      });
    });

  return (
    <form onSubmit={submit}>
      <Page
        title={isNew ? texts.newTemplate : template.name}
        about={
          <Group gap="xs" component="span">
            <Link href={LIST} className="back-link">
              <ChevronLeft size={16} aria-hidden /> {texts.back}
            </Link>
            {!isNew && <Badge color="gray">{template.bundled ? texts.bundled : texts.version(template.version)}</Badge>}
            {fields.isChanged && <Badge color="yellow">{texts.unsaved}</Badge>}
          </Group>
        }
        actions={
          <>
            {!isNew && <Versions name={template.name} current={template.version} choose={restore} />}
            {!isNew && !template.bundled && (
              <Button variant="default" leftSection={<Trash2 size={16} />} onClick={() => setDeleting(true)}>
                {texts.delete}
              </Button>
            )}
            <Button type="submit" loading={fields.busy} disabled={sample === null || (!isNew && !fields.isChanged)}>
              {isNew ? texts.saveNew : texts.save}
            </Button>
          </>
        }
      >
        <div className="editor">
          <div className="editor-side">
            {isNew && <TextInput label={texts.templateName} description={texts.templateNameAbout} required {...fields.text('name')} />}
            <TextInput label={texts.subject} required {...fields.text('subject')} />
            <Tabs defaultValue="html">
              <Tabs.List>
                <Tabs.Tab value="html">{texts.html}</Tabs.Tab>
                <Tabs.Tab value="text">{texts.text}</Tabs.Tab>
                <Tabs.Tab value="sample">{texts.sample}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="html" pt="sm">
                <Textarea
                  aria-label={texts.html}
                  classNames={CODE}
                  autosize
                  minRows={18}
                  maxRows={32}
                  spellCheck={false}
                  {...fields.text('html')}
                />
              </Tabs.Panel>
              <Tabs.Panel value="text" pt="sm">
                <Textarea
                  aria-label={texts.text}
                  description={texts.textAbout}
                  classNames={CODE}
                  autosize
                  minRows={18}
                  maxRows={32}
                  {...fields.text('text')}
                />
              </Tabs.Panel>
              <Tabs.Panel value="sample" pt="sm">
                <Textarea
                  aria-label={texts.sample}
                  description={texts.sampleAbout}
                  classNames={CODE}
                  autosize
                  minRows={18}
                  maxRows={32}
                  spellCheck={false}
                  {...fields.text('sample')}
                  error={sample === null ? texts.sampleWrong : fields.text('sample').error}
                />
              </Tabs.Panel>
            </Tabs>
          </div>
          <TemplatePreview source={source} sample={sample} />
        </div>
      </Page>
      {deleting && (
        <ConfirmDialog
          title={texts.deleteTemplate(template.name)}
          text={texts.deleteTemplateText}
          button={texts.delete}
          confirm={async () => {
            if (!(await attempt(() => deleteTemplate(template.name)))) return;
            client.removeQueries({ queryKey: ['mail', 'templates', template.name] });
            await client.invalidateQueries({ queryKey: ['mail', 'templates'] });
            navigate(LIST);
          }}
          close={() => setDeleting(false)}
        />
      )}
    </form>
  );
}

const CODE = { input: 'code-input' };

function Versions({ name, current, choose }: { name: string; current: number; choose(version: number): void }) {
  const versions = useVersions(name);
  const earlier = versions.data?.filter(({ version }) => version !== current) ?? [];
  if (earlier.length === 0) return null;
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<History size={16} />}>
          {texts.versions}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} className="scrolling">
        {earlier.map(({ version, dateCreated }) => (
          <Menu.Item key={version} onClick={() => choose(version)}>
            {texts.version(version)} · <Time value={dateCreated} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

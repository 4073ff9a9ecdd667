import { Tabs, TextInput } from '@mantine/core';
import { texts as common } from '../../texts.ts';
import { CodeInput } from './CodeInput.tsx';
import { texts } from './texts.ts';
import { parseSample, type TemplateForm } from './useTemplateForm.ts';

const SOURCES = [
  { name: 'html', label: texts.htmlOrMjml, hint: undefined },
  { name: 'text', label: common.text, hint: texts.textHint },
  { name: 'sample', label: texts.sampleData, hint: texts.sampleDataText },
] as const;

/** The fields of a template: name, subject, and a tab for each source. */
export function TemplateFields({ form, isNew }: { form: TemplateForm; isNew: boolean }) {
  const invalidSample = parseSample(form.values.sample) === null && { error: texts.notJson };
  return (
    <div className="editor-side">
      {isNew && <TextInput required {...form.field('name', common.name, texts.nameText)} />}
      <TextInput required {...form.field('subject', common.subject)} />
      <Tabs defaultValue="html">
        <Tabs.List>
          {SOURCES.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SOURCES.map(({ name, label, hint }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <CodeInput
              aria-label={label}
              description={hint}
              {...form.getInputProps(name)}
              value={form.values[name]}
              {...(name === 'sample' && invalidSample)}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

import { Tabs, Textarea, TextInput } from '@mantine/core';
import { common } from '../../texts/common.ts';
import { mailTexts as texts } from '../../texts/mail.ts';
import { parseSample } from './template-sample.ts';
import type { TemplateForm } from './useTemplateForm.ts';

const CODE = {
  classNames: { input: 'code-input' },
  autosize: true,
  minRows: 18,
  maxRows: 32,
  spellCheck: false,
};
const SOURCES = [
  { name: 'html', label: texts.html, hint: undefined },
  { name: 'text', label: texts.text, hint: texts.textHint },
  { name: 'sample', label: texts.sample, hint: texts.sampleHint },
] as const;

/** The fields of a template: name, subject, and a tab for each source. */
export function TemplateFields({ form, isNew }: { form: TemplateForm; isNew: boolean }) {
  const invalidSample = parseSample(form.values.sample) === null && { error: texts.sampleInvalid };
  return (
    <div className="editor-side">
      {isNew && <TextInput required {...form.field('name', common.name, texts.templateNameHint)} />}
      <TextInput required {...form.field('subject', texts.subject)} />
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
            <Textarea
              aria-label={label}
              description={hint}
              {...CODE}
              {...form.getInputProps(name)}
              {...(name === 'sample' && invalidSample)}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

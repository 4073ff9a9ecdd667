import { Alert, Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { sendTestMail } from '../../api/mail.ts';
import { preview, type TemplateSource } from '../../api/templates.ts';
import { sentenceOf } from '../../parts/Failure.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';
import { TestForm } from './TestForm.tsx';

const TYPING_MS = 350;

interface TemplatePreviewProps {
  source: TemplateSource;
  /** Null = what was typed is no JSON object yet. */
  sample: Record<string, unknown> | null;
}

/** What comes of a template with its sample data, as one writes it: HTML wide and narrow, and text. */
export function TemplatePreview({ source, sample }: TemplatePreviewProps) {
  const [kind, setKind] = useState<'html' | 'text'>('html');
  const [width, setWidth] = useState<'wide' | 'phone'>('wide');
  const [typed] = useDebouncedValue(JSON.stringify({ source, sample }), TYPING_MS);
  const rendered = useQuery({
    queryKey: ['mail', 'preview', typed],
    queryFn: ({ signal }) => {
      const wanted = JSON.parse(typed) as TemplatePreviewProps;
      return preview(wanted.source, wanted.sample ?? {}, signal);
    },
    placeholderData: (earlier) => earlier,
    retry: false,
  });
  const content = rendered.data;
  const isText = kind === 'text' || content?.html === null;
  return (
    <section className="editor-side" aria-label={texts.previewTitle}>
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={texts.previewTitle}
          value={kind}
          onChange={(value) => setKind(value as typeof kind)}
          data={[
            { value: 'html', label: texts.previewHtml },
            { value: 'text', label: texts.previewText },
          ]}
        />
        {!isText && (
          <SegmentedControl
            size="xs"
            aria-label={texts.previewFrame}
            value={width}
            onChange={(value) => setWidth(value as typeof width)}
            data={[
              { value: 'wide', label: texts.wide },
              { value: 'phone', label: texts.phone },
            ]}
          />
        )}
      </Group>
      {rendered.isError && (
        <Alert variant="light" color="red" icon={<CircleAlert size={18} />}>
          {sentenceOf(rendered.error)}
        </Alert>
      )}
      <Paper withBorder radius="lg" className="mail-preview">
        <Text fw={600} className="mail-subject">
          {content?.subject}
        </Text>
        {content && isText && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre className="mail-text" tabIndex={0}>
            {content.text}
          </pre>
        )}
        {content?.html && !isText && (
          // Without allow-scripts and of an origin of its own: whatever was written, nothing of it runs.
          <iframe className="mail-frame" data-width={width} sandbox="" srcDoc={content.html} title={texts.previewFrame} />
        )}
      </Paper>
      {sample && (
        <TestForm
          label={texts.testTo}
          placeholder="you@example.org"
          type="email"
          send={(to) =>
            sendTestMail({ to, subject: source.subject, html: source.html ?? undefined, text: source.text ?? undefined, data: sample })
          }
        />
      )}
    </section>
  );
}

/** What was typed as sample data; null when it is no JSON object. */
export function parseSample(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

import { Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { preview, type Rendered, type TemplateSource } from '../../api/templates.ts';
import { ScrollableCode } from '../../components/CodeBlock.tsx';
import { errorMessage } from '../../components/ErrorState.tsx';
import { Notice } from '../../components/Notice.tsx';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const TYPING_MS = 350;

interface TemplatePreviewProps {
  source: TemplateSource;
  /** Null while the sample data is not a JSON object. */
  sample: Record<string, unknown> | null;
}

/** Renders a template with its sample data while it is edited: as HTML, wide and narrow, and as text. */
export function TemplatePreview({ source, sample }: TemplatePreviewProps) {
  const [kind, setKind] = useState('html');
  const [width, setWidth] = useState('wide');
  const rendered = usePreview({ source, sample });
  const isText = kind === 'text' || rendered.data?.html === null;
  return (
    <section className="editor-side" aria-label={common.preview}>
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={common.preview}
          value={kind}
          onChange={setKind}
          data={[
            { value: 'html', label: common.html },
            { value: 'text', label: common.text },
          ]}
        />
        {!isText && (
          <SegmentedControl
            size="xs"
            aria-label={texts.rendered}
            value={width}
            onChange={setWidth}
            data={[
              { value: 'wide', label: texts.wide },
              { value: 'phone', label: texts.phone },
            ]}
          />
        )}
      </Group>
      {rendered.isError && <Notice kind="error">{errorMessage(rendered.error)}</Notice>}
      {rendered.data && (
        <Paper withBorder radius="lg" className="mail-preview">
          <Text fw={600} className="mail-subject">
            {rendered.data.subject}
          </Text>
          <Content mail={rendered.data} isText={isText} width={width} />
        </Paper>
      )}
    </section>
  );
}

function usePreview(template: TemplatePreviewProps) {
  // As JSON, so that an equal template is the same value.
  const [typed] = useDebouncedValue(JSON.stringify(template), TYPING_MS);
  return useQuery({
    queryKey: [...keys.mail, 'preview', typed],
    queryFn: ({ signal }) => {
      const { source, sample } = JSON.parse(typed) as TemplatePreviewProps;
      return preview(source, sample ?? {}, signal);
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
}

function Content({ mail, isText, width }: { mail: Rendered; isText: boolean; width: string }) {
  if (isText) return <ScrollableCode className="mail-text">{mail.text}</ScrollableCode>;
  // The sandbox without allow-scripts and allow-same-origin runs no code of the template.
  return (
    <iframe
      className="mail-frame"
      data-width={width}
      sandbox=""
      srcDoc={mail.html ?? ''}
      title={texts.rendered}
    />
  );
}

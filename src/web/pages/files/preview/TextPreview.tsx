import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { File } from 'lucide-react';
import { useState } from 'react';
import { decodeText } from '../../../../text/decode-text.ts';
import { type TextFormat, textFormat } from '../../../../text/text-format.ts';
import { posthouse } from '../../../api/posthouse.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { PageLoader } from '../../../components/PageLoader.tsx';
import { formatBytes } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import type { Previewed } from './content.ts';
import { FormattedText } from './FormattedText.tsx';
import { MAX_LENGTH, renderText } from './render-text.ts';
import { ScrollRegion } from './ScrollRegion.tsx';
import { texts } from './texts.ts';

const MAX_TEXT_BYTES = 524_288;
const MODES = [
  { value: 'formatted', label: texts.formatted },
  { value: 'text', label: common.text },
];

/** Shows a text; Markdown, tables and code are formatted. */
export function TextPreview({ content }: { content: Previewed }) {
  const { address, sizeBytes, sha256 } = content;
  const text = useQuery({
    queryKey: ['text', address, sha256],
    queryFn: ({ signal }) => readText(content, signal),
  });
  const format = textFormat(content);
  if (text.isPending) return <PageLoader />;
  if (text.isError) return <ErrorState error={text.error} retry={() => void text.refetch()} />;
  if (text.data === '')
    return <EmptyState title={content.name} text={texts.empty} icon={<File size={28} />} />;
  return (
    <div className="preview-text">
      {format ? <Formatted content={content} text={text.data} format={format} /> : <Plain text={text.data} />}
      {sizeBytes > MAX_TEXT_BYTES && (
        <p className="files-note">{texts.bounded(formatBytes(MAX_TEXT_BYTES))}</p>
      )}
    </div>
  );
}

async function readText({ address, sizeBytes }: Previewed, signal: AbortSignal): Promise<string> {
  const headers: Record<string, string> =
    sizeBytes > MAX_TEXT_BYTES ? { Range: `bytes=0-${MAX_TEXT_BYTES - 1}` } : {};
  const response = await posthouse.send(address, { headers, signal });
  return decodeText(new Uint8Array(await response.arrayBuffer()), sizeBytes <= MAX_TEXT_BYTES);
}

interface FormattedProps {
  content: Previewed;
  text: string;
  format: TextFormat;
}

function Formatted({ content: { address, sha256 }, text, format }: FormattedProps) {
  const [mode, setMode] = useState('formatted');
  const rendered = useQuery({
    queryKey: ['rendered', address, sha256],
    queryFn: ({ signal }) => renderText(text, format, signal),
    enabled: text.length <= MAX_LENGTH[format.kind],
    retry: false,
  });
  const { data } = rendered;
  if (rendered.isLoading) return <PageLoader />;
  if (!data) return <Plain text={text} />;
  return (
    <>
      {format.kind !== 'code' && (
        <SegmentedControl
          aria-label={texts.view}
          value={mode}
          onChange={setMode}
          data={MODES}
          className="text-mode"
        />
      )}
      {mode === 'text' ? <Plain text={text} /> : <FormattedText kind={format.kind} rendered={data} />}
    </>
  );
}

const Plain = ({ text }: { text: string }) => <ScrollRegion as="pre">{text}</ScrollRegion>;

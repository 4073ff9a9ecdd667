import { ActionIcon, Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { common } from '../texts/common.ts';
import { copyText } from './copy.ts';

const SHOWN_MS = 1_500;

/** Copies text; as a sign alone, or with words. */
export function CopyButton({ text, label, words }: { text: string; label: string; words?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const icon = copied ? <Check size={16} /> : <Copy size={16} />;
  const copy = async () => setCopied(await copyText(text));
  if (words !== undefined) {
    return (
      <Button variant="default" size="xs" leftSection={icon} onClick={copy}>
        {copied ? common.action.copied : words}
      </Button>
    );
  }
  const said = copied ? common.action.copied : label;
  return (
    <ActionIcon variant="subtle" color={copied ? 'green' : 'gray'} size="lg" onClick={copy} aria-label={said} title={said}>
      {icon}
    </ActionIcon>
  );
}

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { IconButton } from './IconButton.tsx';
import { texts } from './texts.ts';

const CONFIRMATION_MS = 1_500;

/** Copies `text` to the clipboard, and confirms that for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      color={copied ? 'green' : undefined}
      onClick={async () => setCopied(await copyText(text))}
      label={copied ? texts.copied : label}
      icon={copied ? <Check size={16} /> : <Copy size={16} />}
    />
  );
}

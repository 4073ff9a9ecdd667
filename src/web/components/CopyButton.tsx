import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './IconButton.tsx';

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
      label={copied ? 'Copied' : label}
      icon={copied ? <Check size={16} /> : <Copy size={16} />}
    />
  );
}

/** Copies text; also on plain HTTP, where browsers do not offer `navigator.clipboard`. Reports whether it succeeded. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.cssText = 'position:fixed;opacity:0';
  // Inside an open dialog, because its focus trap would clear a selection outside.
  (document.activeElement?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { type MessageFilter, readMessages } from '../../api/messages.ts';
import { attempt } from '../../components/notify.tsx';
import { messagesCsv } from './csv.ts';
import { texts } from './texts.ts';

/** Saves the messages of the filter as a CSV file. */
export function ExportButton({ filter }: { filter: MessageFilter }) {
  const [busy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    await attempt(async () => save(messagesCsv(await readMessages(filter)), 'messages.csv'));
    setBusy(false);
  }
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} />}
      loading={busy}
      onClick={() => void run()}
      title={texts.exportHint}
    >
      {texts.export}
    </Button>
  );
}

function save(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

import { Download } from 'lucide-react';
import { type MessageFilter, readMessages } from '../../api/messages.ts';
import { BusyButton } from '../../components/BusyButton.tsx';
import { attempt } from '../../components/notify.tsx';
import { messagesCsv } from './csv.ts';
import { texts } from './texts.ts';

/** Saves the messages of the filter as a CSV file. */
export const ExportButton = ({ filter }: { filter: MessageFilter }) => (
  <BusyButton
    variant="default"
    leftSection={<Download size={16} />}
    title={texts.exportHint}
    run={() => attempt(async () => save(messagesCsv(await readMessages(filter)), 'messages.csv'))}
  >
    {texts.export}
  </BusyButton>
);

function save(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

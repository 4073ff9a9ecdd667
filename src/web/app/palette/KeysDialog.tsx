import { Modal, Stack, Title } from '@mantine/core';

const GROUPS: Record<string, readonly (readonly [keys: string, effect: string])[]> = {
  'Every page': [
    ['Ctrl K', 'Search pages, actions and files'],
    ['/', 'Search the page'],
    ['?', 'Show this list'],
  ],
  Files: [
    ['↑ ↓ ← →', 'Move; with Shift, select'],
    ['Enter', 'Open'],
    ['Space', 'Select'],
    ['Ctrl A', 'Select all'],
    ['S', 'Share and details'],
    ['D', 'Download'],
    ['F2', 'Rename'],
    ['M', 'Move'],
    ['C', 'Copy'],
    ['R', 'Replace content'],
    ['V', 'Versions'],
    ['Del', 'Delete'],
    ['Esc', 'Clear the selection, close'],
  ],
  Preview: [
    ['← →', 'Previous or next file'],
    ['+ − 0', 'Enlarge, reduce or fit a picture'],
  ],
};

/** Lists the keyboard shortcuts. */
export function KeysDialog({ close }: { close(): void }) {
  return (
    <Modal opened onClose={close} title="Keyboard shortcuts">
      <Stack gap="lg">
        {Object.entries(GROUPS).map(([group, shortcuts]) => (
          <section key={group}>
            <Title order={3} mb="xs">
              {group}
            </Title>
            <dl className="facts">
              {shortcuts.map(([keys, effect]) => (
                <div key={keys} className="fact">
                  <dt>
                    <kbd className="shortcut">{keys}</kbd>
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </Stack>
    </Modal>
  );
}

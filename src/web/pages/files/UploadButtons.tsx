import { Button, Menu } from '@mantine/core';
import { ChevronDown, FolderUp, Upload } from 'lucide-react';
import { useRef } from 'react';
import { fileTexts as texts } from '../../texts/files.ts';
import { type Chosen, readChosen } from '../../uploads/dropped.ts';

/** Chooses files, or a whole folder, from the computer. */
export function UploadButtons({ upload }: { upload(chosen: Chosen[]): void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    if (input.files) upload(readChosen(input.files));
    // The same files chosen again are a change again.
    input.value = '';
  };
  return (
    <>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <Button leftSection={<Upload size={17} />} rightSection={<ChevronDown size={15} />}>
            {texts.upload}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Upload size={16} />} onClick={() => files.current?.click()}>
            {texts.uploadFiles}
          </Menu.Item>
          <Menu.Item leftSection={<FolderUp size={16} />} onClick={() => folder.current?.click()}>
            {texts.uploadFolder}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input ref={files} type="file" multiple hidden data-testid="files" onChange={(event) => take(event.currentTarget)} />
      <input
        ref={(input) => {
          folder.current = input;
          input?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        hidden
        data-testid="folder"
        onChange={(event) => take(event.currentTarget)}
      />
    </>
  );
}

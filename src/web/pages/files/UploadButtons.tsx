import { Button, Menu } from '@mantine/core';
import { ChevronDown, FolderUp, Upload } from 'lucide-react';
import { useRef } from 'react';
import { type PickedFile, readFileInput } from '../../uploads/picked-files.ts';
import { texts } from './texts.ts';

/** Selects files or a folder to upload. */
export function UploadButtons({ upload }: { upload(files: PickedFile[]): void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const uploadFrom = (input: HTMLInputElement) => {
    if (input.files) upload(readFileInput(input.files));
    // Without this, choosing the same files again is no change event.
    input.value = '';
  };
  return (
    <>
      <Menu>
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
      <input
        ref={files}
        type="file"
        multiple
        hidden
        data-testid="files"
        onChange={(event) => uploadFrom(event.currentTarget)}
      />
      <input
        ref={(input) => {
          folder.current = input;
          input?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        hidden
        data-testid="folder"
        onChange={(event) => uploadFrom(event.currentTarget)}
      />
    </>
  );
}

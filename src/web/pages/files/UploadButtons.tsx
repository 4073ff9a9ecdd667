import { Button, Menu } from '@mantine/core';
import { Camera, ChevronDown, FolderUp, Upload } from 'lucide-react';
import { useRef } from 'react';
import { hasTouch } from '../../components/has-touch.ts';
import { texts as common } from '../../texts.ts';
import { type PickedFile, readFileInput } from '../../uploads/picked-files.ts';
import { texts } from './texts.ts';

interface UploadButtonsProps {
  disabled: boolean;
  upload(files: PickedFile[]): void;
}

/** Selects files or a folder to upload. */
export function UploadButtons({ disabled, upload }: UploadButtonsProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const uploadFrom = (input: HTMLInputElement) => {
    if (input.files) upload(readFileInput(input.files));
    // Without this, choosing the same files again would fire no change event.
    input.value = '';
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button
            disabled={disabled}
            leftSection={<Upload size={17} />}
            rightSection={<ChevronDown size={15} />}
          >
            {common.upload}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Upload size={16} />} onClick={() => files.current?.click()}>
            {common.uploadFiles}
          </Menu.Item>
          <Menu.Item leftSection={<FolderUp size={16} />} onClick={() => folder.current?.click()}>
            {texts.uploadFolder}
          </Menu.Item>
          {/* Other devices ignore `capture`: their item would be the same as that for files. */}
          {hasTouch() && (
            <Menu.Item leftSection={<Camera size={16} />} onClick={() => camera.current?.click()}>
              {texts.takePhoto}
            </Menu.Item>
          )}
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
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        data-testid="camera"
        onChange={(event) => uploadFrom(event.currentTarget)}
      />
    </>
  );
}

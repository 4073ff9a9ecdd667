import { Button, Group } from '@mantine/core';
import { texts } from './texts.ts';

interface MoreButtonProps {
  /** A list that is loaded page by page. */
  pages: { hasNextPage: boolean; isFetchingNextPage?: boolean; fetchNextPage(): unknown };
  label?: string;
  /** Whether the list is in a panel. */
  inPanel?: boolean;
}

/** Loads the next page of a list; renders nothing when there is none. */
export function MoreButton({ pages, label = texts.showMore, inPanel = false }: MoreButtonProps) {
  if (!pages.hasNextPage) return null;
  return (
    <Group {...(inPanel ? { className: 'panel-more' } : { justify: 'center', mt: 'md' })}>
      <Button
        size={inPanel ? 'xs' : 'sm'}
        variant={inPanel ? 'subtle' : 'default'}
        loading={pages.isFetchingNextPage}
        onClick={() => void pages.fetchNextPage()}
      >
        {label}
      </Button>
    </Group>
  );
}

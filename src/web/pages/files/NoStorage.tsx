import { EmptyState } from '../../components/EmptyState.tsx';
import { texts } from './texts.ts';

/** Shown in place of the pages of files. */
export const NoStorage = () => <EmptyState title={texts.noStorage} text={texts.noStorageText} whole="page" />;

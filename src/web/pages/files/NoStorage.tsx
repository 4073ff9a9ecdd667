import { EmptyState } from '../../components/EmptyState.tsx';
import { texts } from './texts.ts';

/** Shown in place of file pages if the storage service is disabled. */
export const NoStorage = () => <EmptyState title={texts.noStorage} text={texts.noStorageText} whole="page" />;

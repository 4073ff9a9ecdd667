import { administrationOf } from '../../../kernel/http/administration.ts';

export const { administration, ofRecord } = administrationOf('mail administration');

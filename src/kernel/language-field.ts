import { z } from 'zod';
import { LANGUAGES } from './language.ts';

export const languageField = z.enum(LANGUAGES, `must be one of ${LANGUAGES.join(', ')}`);

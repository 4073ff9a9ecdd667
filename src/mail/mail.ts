import type { Service } from '../kernel/service.ts';

export function createMail(): Service {
  return { mount() {} };
}

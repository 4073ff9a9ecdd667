import type { Service } from '../kernel/service.ts';

export function createChat(): Service {
  return { mount() {} };
}

/** What a mail looked like. */
export function MailContent({ id }: { id: string }) {
  return id === '' ? null : null;
}

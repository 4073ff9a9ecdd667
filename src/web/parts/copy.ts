/** Puts text on the clipboard, also where the page came over plain http and browsers withhold `navigator.clipboard`. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.cssText = 'position:fixed;opacity:0';
  // Inside an open dialog, or its focus trap would take the selection away.
  (document.activeElement?.closest('[role=dialog]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

/** Pages over http from another machine have no clipboard API, so an older one is used there. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  // Elements outside an open dialog cannot be selected.
  const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  place.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

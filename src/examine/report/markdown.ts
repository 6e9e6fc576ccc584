export function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Escapes a text for Markdown and HTML. */
export function cell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll(/[&<>|`*_~[\]\\]/g, (character) => `&#${character.charCodeAt(0)};`);
}

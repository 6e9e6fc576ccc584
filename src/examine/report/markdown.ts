/** A row of a table in Markdown. */
export function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** A text as itself, whatever of it means something in Markdown or HTML. */
export function cell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll(/[&<>|`*_~[\]\\]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The content of a part of a multipart form, and the name of that part. */
export interface PartPlace {
  name: string;
  from: number;
  to: number;
}

const HEAD = /content-disposition[^\r\n]{0,200}?\bname=(?:"([^"\r\n]*)"|([^\s;"]+))/gi;
/** Maximum length of the head of a part, after its name. */
const MAX_HEAD_LENGTH = 2000;
const HEAD_END = /\r?\n\r?\n/;

/** The extents of the parts of a multipart form, which may be truncated. */
export function formPartsIn(text: string): PartPlace[] {
  const parts: PartPlace[] = [];
  HEAD.lastIndex = 0;
  for (let head = HEAD.exec(text); head; head = HEAD.exec(text)) {
    const end = HEAD_END.exec(text.slice(HEAD.lastIndex, HEAD.lastIndex + MAX_HEAD_LENGTH));
    if (!end) {
      continue;
    }
    const from = HEAD.lastIndex + end.index + end[0].length;
    const next = text.indexOf('\n--', from);
    const hasCarriageReturn = text.charAt(next - 1) === '\r';
    const to = next === -1 ? text.length : Math.max(from, hasCarriageReturn ? next - 1 : next);
    parts.push({ name: head[1] ?? head[2] ?? '', from, to });
    HEAD.lastIndex = to;
  }
  return parts;
}

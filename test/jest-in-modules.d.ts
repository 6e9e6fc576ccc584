/** Jest's own object, which modules have in place of a global one. */
interface ImportMeta {
  readonly jest: typeof jest;
}

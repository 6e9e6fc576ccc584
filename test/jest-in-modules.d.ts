/** Jest's own object, which modules have in place of a global one. */
interface ImportMeta {
  readonly jest: typeof jest;
}

/** What the types of Jest leave out. */
declare namespace jest {
  function unstable_mockModule(name: string, factory: () => object): typeof jest;
}

/** Jest's object, which is not global in ES modules. */
interface ImportMeta {
  readonly jest: typeof jest;
}

/** A function that is missing in the types of Jest. */
declare namespace jest {
  function unstable_mockModule(name: string, factory: () => object): typeof jest;
}

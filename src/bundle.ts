/** What dist/ holds in one file, so that `import`, `require` and the command run the same code: the library, and the command line. */
export * from './index.ts';

/** Runs the command that this process was started with. */
export const runCommand = () => import('./cli.ts');

// Install scripts that `npm ci` runs on the machine of anyone who clones this project.
import { readFileSync } from 'node:fs';

const read = (name: string) => JSON.parse(readFileSync(name, 'utf8'));

it('the packages that have install scripts are those that package.json allows', () => {
  const { packages } = read('package-lock.json') as { packages: Record<string, { hasInstallScript?: true }> };
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
  const { allowScripts } = read('package.json');
  // Newer versions of npm follow this list themselves.
  expect(withScript.map((path) => path.replace(/^.*node_modules\//, '')).sort()).toEqual(
    Object.keys(allowScripts).sort(),
  );
});

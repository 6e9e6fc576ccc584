import { defineConfig } from '@playwright/test';

// Your browser; default: the one that `npx playwright install chromium` installs.
const executablePath = process.env['CHROMIUM'];

export default defineConfig({
  use: { launchOptions: executablePath ? { executablePath } : {} },
});

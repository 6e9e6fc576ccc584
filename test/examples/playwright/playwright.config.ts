import { defineConfig } from '@playwright/test';

// A browser of your own; left out, the one that `npx playwright install chromium` gets.
const executablePath = process.env['CHROMIUM'];

export default defineConfig({
  use: { launchOptions: executablePath ? { executablePath } : {} },
});

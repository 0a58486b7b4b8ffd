import { defineConfig } from '@playwright/test'
import { CONSOLE, PICTURES } from './support/site.ts'

/**
 * One journey at a time: they share a site, and two cores with gateway, console and browser. Nothing is tried twice: what fails now and then is a defect. Nor is it one that a machine is
 * slow: waiting ends late.
 */
export default defineConfig({
  outputDir: process.env.JOURNEYS_OUTPUT ?? '../../../target/journeys',
  reporter: [['list']],
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 300_000,
  expect: { timeout: 60_000 },
  projects: [
    { name: 'console', testDir: 'console' },
    { name: 'keycloak', testDir: 'keycloak' },
    { name: 'containers', testDir: 'containers' },
    ...(PICTURES === undefined ? [] : [{ name: 'pictures', testDir: 'pictures' }]),
  ],
  use: {
    baseURL: CONSOLE,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // Root in a container has no sandbox of the browser's; the pages' own policy is what is tested.
      args: ['--no-sandbox'],
      // Where the browser keeps the authorities that it trusts.
      ...(process.env.JOURNEYS_HOME === undefined ? {} : { env: { ...process.env, HOME: process.env.JOURNEYS_HOME } }),
    },
  },
})

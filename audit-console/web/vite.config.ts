import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { stub } from './dev/stub/plugin.ts'
import { themeCss } from './scripts/themeCss.ts'

export default defineConfig({
  plugins: [react(), themeCss(), stub()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2022',
    sourcemap: false,
    // Small pictures would become data: URLs, the first script an inline one: both are forbidden by the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licences of what is inside, as they ask for.
    license: { fileName: 'licenses.md' },
  },
  server: { port: 5173, host: '127.0.0.1' },
  preview: { port: 4173, host: '127.0.0.1' },
  test: {
    environment: 'jsdom',
    setupFiles: ['test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    // One page and one set of modules for all files, which test/setup.ts clears: making them anew took half of the time.
    isolate: false,
    // Of a machine that is slow and does much else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each waits for half a minute before it fails: a page that shows nothing would do so for an hour.
    bail: 10,
  },
})

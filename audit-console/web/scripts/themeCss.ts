import { convertCssVariables, defaultCssVariablesResolver } from '@mantine/core'
import type { Plugin } from 'vite'
import { fullTheme } from '../src/app/theme.ts'

const NAME = 'virtual:theme.css'

/**
 * The theme's variables as a style sheet, made by the build. The component library would write them into the page at run time, which a strict
 * Content-Security-Policy forbids.
 */
export function themeCss(): Plugin {
  return {
    name: 'veilgate-theme-css',
    resolveId: id => (id === NAME ? `\0${NAME}` : undefined),
    load: id => (id === `\0${NAME}` ? convertCssVariables(defaultCssVariablesResolver(fullTheme), ':root') : undefined),
  }
}

import { createTheme, mergeMantineTheme, DEFAULT_THEME, type MantineThemeOverride } from '@mantine/core'

const SANS =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Helvetica, Arial, sans-serif'
const MONO =
  'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace'

/** The fonts are the system's: nothing is loaded from anywhere. The variables are written into a style sheet by the build, not by scripts. */
export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: '650' },
  colors: {
    dark: [
      '#ccd3dc',
      '#b3bcc8',
      '#8b95a3',
      '#5c6674',
      '#444b57',
      '#343a44',
      '#22262d',
      '#1b1e24',
      '#14161a',
      '#0f1114',
    ],
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  autoContrast: true,
  luminanceThreshold: 0.35,
  respectReducedMotion: true,
})

export const fullTheme = mergeMantineTheme(DEFAULT_THEME, theme)

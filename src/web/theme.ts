import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { GROUND } from './ground.ts';
import { returnFocus } from './return-focus.ts';
import { texts } from './texts.ts';

/** Index 7 is the accent of the light scheme, index 3 that of the dark scheme. */
const accent: MantineColorsTuple = [
  '#eef3fe',
  '#dde7fd',
  '#b9cdfa',
  '#8fb2ff',
  '#6c98ee',
  '#4f82e3',
  '#386cd8',
  '#2456c8',
  '#1c47a8',
  '#153684',
];

/** Bluish grays like the surfaces; Mantine's own dark grays are neutral. */
const dark: MantineColorsTuple = [
  '#d5dae2',
  '#b4bcc8',
  '#8d97a6',
  '#6a7380',
  '#3d4450',
  '#363c47',
  '#272c35',
  '#1d2128',
  '#191c22',
  '#14171c',
];

/** Style of the titles of dialogs. Long names take several lines. */
const TITLE = { fontWeight: 600, lineHeight: 1.35 };

/** The theme of the app. The server-rendered pages use the same colors. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 3 },
  colors: { accent, dark },
  black: '#10182b',
  autoContrast: true,
  // Mantine computes contrast from the light shade only.
  variantColorResolver(input) {
    const resolved = defaultVariantColorsResolver(input);
    const isAccent = input.color === undefined || input.color === 'accent';
    if (input.variant !== 'filled') return resolved;
    if (isAccent) return { ...resolved, color: 'var(--mantine-primary-color-contrast)' };
    return input.color === 'red' ? { ...resolved, color: 'var(--on-bad)' } : resolved;
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    Drawer: {
      defaultProps: {
        position: 'right',
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': texts.close },
      },
      styles: { title: TITLE },
    },
    DrawerRoot: { defaultProps: { ref: returnFocus } },
    Fieldset: { styles: { root: { marginInline: 0 } } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': texts.close } },
      styles: { description: { color: 'var(--mantine-color-text)' } },
    },
    Menu: { defaultProps: { position: 'bottom-end', shadow: 'md', withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        radius: 'lg',
        closeButtonProps: { 'aria-label': texts.close },
      },
      styles: { title: TITLE },
    },
    ModalRoot: { defaultProps: { ref: returnFocus } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': texts.togglePassword } } },
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
});

/** Colors with enough contrast for small text (WCAG 2.2, 1.4.3), which Mantine's grays lack. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1b1f27',
    '--mantine-color-dimmed': '#5b6472',
    '--mantine-color-placeholder': '#6a7380',
    '--mantine-color-disabled-color': '#737c8b',
    '--mantine-color-anchor': '#2456c8',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#cdd3dc',
    '--mantine-color-green-light-color': '#1b6e3c',
    '--mantine-color-red-light-color': '#a3211a',
    '--mantine-color-yellow-light-color': '#7a5200',
    '--mantine-color-grape-light-color': '#7b2d8e',
    '--mantine-color-blue-light-color': '#1c4fa8',
    '--mantine-color-gray-light-color': '#495057',
    '--ground': GROUND.light,
    '--surface': '#ffffff',
    '--line': '#d9dde4',
    '--faint-line': '#e9ecf1',
    // Of fields and checkboxes: a contrast of 3:1 to all surfaces (WCAG 2.2, 1.4.11).
    '--control-line': '#7a8392',
    '--hover': '#eef0f4',
    '--selected': '#e4ecfc',
    '--mantine-color-red-filled': '#b3261e',
    '--mantine-color-red-filled-hover': '#97201a',
    '--bad': '#b3261e',
    '--on-bad': '#ffffff',
    '--good': '#1b6e3c',
    '--violet': '#7b3fb5',
    '--rose': '#a33b72',
    '--ochre': '#8a5a00',
    '--teal': '#1c6b78',
  },
  dark: {
    '--mantine-color-body': '#1d2128',
    '--mantine-color-text': '#e8eaee',
    '--mantine-color-dimmed': '#a3adbb',
    '--mantine-color-placeholder': '#8d97a6',
    '--mantine-color-disabled-color': '#8d97a6',
    '--mantine-color-anchor': '#8fb2ff',
    '--mantine-color-error': '#ffb4ab',
    '--mantine-color-default': '#22272f',
    '--mantine-color-default-hover': '#2a303a',
    '--mantine-color-default-border': '#3d4450',
    '--ground': GROUND.dark,
    '--surface': '#1d2128',
    '--line': '#363c47',
    '--faint-line': '#2b3039',
    '--control-line': '#76808e',
    '--hover': '#272c35',
    '--selected': '#25324c',
    '--bad': '#ffb4ab',
    '--good': '#9bd8ae',
    '--violet': '#c9a0f0',
    '--rose': '#f0a0c8',
    '--ochre': '#e6c07a',
    '--teal': '#8fd3df',
    '--on-bad': '#3b0906',
    '--mantine-color-red-filled': '#ffb4ab',
    '--mantine-color-red-filled-hover': '#ffc9c2',
    '--mantine-color-red-light': '#45201d',
    '--mantine-color-red-light-hover': '#55302c',
    '--mantine-color-red-light-color': '#ffb4ab',
    '--mantine-color-green-light': '#17341f',
    '--mantine-color-green-light-hover': '#1d4127',
    '--mantine-color-green-light-color': '#9bd8ae',
    '--mantine-color-yellow-light': '#3a2f14',
    '--mantine-color-yellow-light-hover': '#463919',
    '--mantine-color-yellow-light-color': '#f0cf8e',
    '--mantine-color-grape-light': '#3a2440',
    '--mantine-color-grape-light-hover': '#472c4e',
    '--mantine-color-grape-light-color': '#e3b3f0',
    '--mantine-color-gray-light': '#2b3039',
    '--mantine-color-gray-light-hover': '#363c47',
    '--mantine-color-gray-light-color': '#d5dae2',
    '--mantine-color-accent-light': '#25324c',
    '--mantine-color-accent-light-hover': '#2d3c5a',
    '--mantine-color-accent-light-color': '#b9cdfa',
  },
});

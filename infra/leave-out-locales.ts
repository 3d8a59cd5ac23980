import type { Plugin } from 'esbuild'

/**
 * zod carries its messages in fifty languages, and every import of `z` imports them all: a quarter of a small bundle. We
 * speak English only.
 */
export const leaveOutLocales: Plugin = {
  name: 'leave-out-locales',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}

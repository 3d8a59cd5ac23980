import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { guidePlugin } from './plugins/guide/guide-plugin.ts'

/** Paths of the service, which a development server passes on. */
const servicePaths = ['/v1', '/health', '/openapi.json', '/docs']
const service = process.env.ESPALIER_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), guidePlugin(resolve(import.meta.dirname, '../docs'))],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Nothing is inlined: the content security policy allows no `data:` scripts or styles.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // .vite/license.md, which goes with the package. Nothing with a leading dot is served.
    license: true,
    target: 'es2023',
  },
  server: {
    // The service refuses what another origin's page sends; what passes here comes from its own page.
    proxy: Object.fromEntries(
      servicePaths.map((path) => [
        path,
        { target: service, changeOrigin: true, headers: { origin: service } },
      ]),
    ),
  },
})

import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { formSchemas } from './plugins/form-schemas.ts'
import { guidePlugin } from './plugins/guide/guide-plugin.ts'

const servicePaths = ['/v1', '/health', '/openapi.json', '/docs']
const service = process.env.ESPALIER_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    guidePlugin(resolve(import.meta.dirname, '../docs')),
    formSchemas(resolve(import.meta.dirname, 'components/form/form-schemas.ts')),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Inline nothing: the content security policy allows no `data:` scripts or styles.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Writes .vite/license.md, which ships with the package. The service serves no path with a leading dot.
    license: true,
    target: 'es2023',
  },
  server: {
    // The service rejects requests from other origins, so the proxy sends the service's own origin.
    proxy: Object.fromEntries(
      servicePaths.map((path) => [
        path,
        { target: service, changeOrigin: true, headers: { origin: service } },
      ]),
    ),
  },
})

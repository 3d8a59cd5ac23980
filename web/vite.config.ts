import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Paths of the service, which a development server passes on. */
const servicePaths = ['/v1', '/health', '/openapi.json', '/docs']
const service = process.env.ESPALIER_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Nothing is inlined: the content security policy allows no `data:` scripts or styles.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    target: 'es2023',
  },
  server: { proxy: Object.fromEntries(servicePaths.map((path) => [path, service])) },
})

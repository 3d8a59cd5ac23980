export { type ServePages, servePages } from '../functions/show-pages/serve-pages.ts'

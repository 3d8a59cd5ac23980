/**
 * What browsers are asked to hold the dashboard to: it loads, runs and asks nothing but what comes from its own origin.
 *
 * @param storage - where signed addresses lead, when that is another origin: `https://…`
 */
export function contentSecurityPolicy(storage?: string): string {
  const files = storage === undefined ? '' : ` ${storage}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob:${files}`,
    "font-src 'self'",
    `connect-src 'self'${files}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** What the page may ask of the browser beyond that: nothing. */
export const permissionsPolicy =
  'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()'

/** How long files whose name carries a digest of what is in them may be kept, and those that are always asked for. */
export const cacheControl = { digested: 'public, max-age=31536000, immutable', changing: 'no-cache' }

/** The headers of every file of the dashboard. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy(),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': permissionsPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** The media type of a file of the dashboard by the end of its name, such as `.js`; undefined for what it has no files of. */
export function pageType(extension: string): string | undefined {
  return types[extension]
}

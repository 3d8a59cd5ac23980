/**
 * The content security policy of the dashboard: it loads, runs and requests only its own origin.
 * @param storage - the origin of signed addresses, if it differs: `https://…`
 * @param ancestors - the origins that may show it in a frame
 */
export function contentSecurityPolicy(storage?: string, ancestors = "'none'"): string {
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
    `frame-ancestors ${ancestors}`,
  ].join('; ')
}

/** Pages below it have no navigation and no action, so notebooks may frame them. */
export const embedPath = '/embed/'

const embedAncestors =
  "'self' http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:* vscode-webview: vscode-file:"

// Of files whose name carries a digest of their contents, and of those that browsers must revalidate.
const cacheControl = { digested: 'public, max-age=31536000, immutable', changing: 'no-cache' }

export function pageCaching(path: string): string {
  return path.startsWith('/assets/') ? cacheControl.digested : cacheControl.changing
}

export interface PagePlace {
  storage?: string | undefined
  overTls?: boolean
}

export function pageHeaders(place: PagePlace, isEmbedded = false): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(place.storage, isEmbedded ? embedAncestors : undefined),
    'X-Content-Type-Options': 'nosniff',
    // It knows no origins, so pages that notebooks frame have the policy alone.
    ...(!isEmbedded && { 'X-Frame-Options': 'DENY' }),
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(place.overTls && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
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

export function pageType(extension: string): string | undefined {
  return types[extension]
}

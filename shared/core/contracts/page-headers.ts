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

export const embedAncestors =
  "'self' http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:* vscode-webview: vscode-file:"

export const permissionsPolicy =
  'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()'

/** Caching of files whose name carries a digest of their contents, and of those that browsers must revalidate. */
export const cacheControl = { digested: 'public, max-age=31536000, immutable', changing: 'no-cache' }

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

export function pageType(extension: string): string | undefined {
  return types[extension]
}

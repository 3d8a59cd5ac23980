const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The media type of a file of the dashboard by the end of its name, such as `.js`; undefined for what it has no files of. */
export function pageType(extension: string): string | undefined {
  return types[extension]
}

export function isImport(source: string): boolean {
  return source.startsWith('import-')
}

export function bearerKey(header: string): string | null {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null
}

/** The name of a file once it is unpacked. */
export function unpackedName(name: string): string {
  return name.replace(/\.gz$/, '')
}

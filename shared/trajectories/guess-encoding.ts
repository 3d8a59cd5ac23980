const signatures: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0xff, 0xfe, 0, 0], 'UTF-32. Convert it: iconv -f UTF-32 -t UTF-8'],
  [[0xff, 0xfe], 'UTF-16 (little endian). Convert it: iconv -f UTF-16 -t UTF-8'],
  [[0xfe, 0xff], 'UTF-16 (big endian). Convert it: iconv -f UTF-16 -t UTF-8'],
  [[0x50, 0x41, 0x52, 0x31], 'Parquet. Import it with the command: espalier import FILE.parquet'],
  [[0x1f, 0x8b], 'gzip. Unpack it first; the command does so itself'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'Zstandard. Unpack it first'],
  [[0x50, 0x4b, 3, 4], 'a ZIP archive. Unpack it first'],
]

/** Why a file that begins so is no UTF-8 text, and what it looks like; null where it may be one. */
export function guessEncoding(start: Uint8Array): string | null {
  const found = signatures.find(([bytes]) => bytes.every((byte, at) => start[at] === byte))?.[1]
  if (found !== undefined) return `the file is no UTF-8 text; it looks like ${found}.`
  const [first, second] = start
  if (first === undefined || second === undefined || (first !== 0 && second !== 0)) return null
  if (first === 0 && second === 0) return 'the file is no text: it begins with zero bytes.'
  const order = second === 0 ? 'LE' : 'BE'
  return `the file is no UTF-8 text; it looks like UTF-16 without its mark. Convert it: iconv -f UTF-16${order} -t UTF-8.`
}

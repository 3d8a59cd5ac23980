import type { FormatFacts } from './trainer-format.ts'

export function filledSplits({ files }: Pick<FormatFacts, 'files'>): [split: string, names: string[]][] {
  return Object.entries(files).filter(([, names]) => names.length > 0)
}

export function unpackedName(name: string): string {
  return name.replace(/\.gz$/, '')
}

/** Shell commands that join the unpacked files of each split, one line per split: held-out data is never mixed in. */
export function joinCommands(
  facts: Pick<FormatFacts, 'files'>,
  toCommand: (names: string, split: string) => string,
): string {
  return filledSplits(facts)
    .map(([split, names]) => toCommand(names.map(unpackedName).join(' '), split))
    .join('\n')
}

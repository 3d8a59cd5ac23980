import type { FormatFacts } from './trainer-format.ts'

/** The splits that have data files, in their order, with the names of these. */
export function filledSplits({ files }: Pick<FormatFacts, 'files'>): [split: string, names: string[]][] {
  return Object.entries(files).filter(([, names]) => names.length > 0)
}

/** The name of a file once it is unpacked. */
export function unpackedName(name: string): string {
  return name.replace(/\.gz$/, '')
}

/** Shell commands that join the unpacked files of each split, a line a split: what is held back is never mixed in. */
export function joinCommands(
  facts: Pick<FormatFacts, 'files'>,
  toCommand: (names: string, split: string) => string,
): string {
  return filledSplits(facts)
    .map(([split, names]) => toCommand(names.map(unpackedName).join(' '), split))
    .join('\n')
}

import type { FormatFacts } from '../format.ts'
import { filledSplits } from './filled-splits.ts'
import { unpackedName } from './unpacked-name.ts'

/** Shell commands that join the unpacked files of each split, a line a split: what is held back is never mixed in. */
export function joinCommands(
  facts: Pick<FormatFacts, 'files'>,
  toCommand: (names: string, split: string) => string,
): string {
  return filledSplits(facts)
    .map(([split, names]) => toCommand(names.map(unpackedName).join(' '), split))
    .join('\n')
}

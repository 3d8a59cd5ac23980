import { mkdir, readdir } from 'node:fs/promises'
import { CommandError } from './command-error.ts'

/** What a trainer's `data-*` or `train-*` finds. */
const shard = /-\d{5}\.(jsonl|json|parquet)(\.gz)?$/

/**
 * Makes the folder that a dataset is downloaded to, and sees to it that trainers will find no other rows in it: they read
 * whatever is named like a data file.
 *
 * @param names - of the files that are to come
 * @throws CommandError where it cannot be made, or holds files of another dataset
 */
export async function prepareFolder(folder: string, names: readonly string[]): Promise<void> {
  const others = (await entriesOf(folder)).filter((name) => shard.test(name) && !names.includes(name))
  const [first] = others
  if (first === undefined) return
  const more = others.length === 1 ? '' : ` and ${others.length - 1} more like it`
  throw new CommandError(
    'folder_in_use',
    `${folder} holds ${first}${more}, which trainers would read too. Empty the folder, or name another: espalier export --dataset DATASET --out FOLDER`,
  )
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true })
    return await readdir(folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('unwritable_folder', `Nothing can be written to ${folder}: ${reason}`)
  }
}

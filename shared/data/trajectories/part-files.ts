import {
  type ImportedFacts,
  importedFactsSchema,
  type Rejection,
  rejectionSchema,
  rowId,
  type TrajectoryLine,
} from '../../core/contracts/trajectory-import.ts'
import { compress, decompress } from '../../core/engine/gzip.ts'
import { readObject } from '../../core/engine/read-object.ts'
import type { Objects } from '../../core/world/ports.ts'
import type { ImportPart } from './import-ledger.ts'

/** A part of an import: its name contains the digest, so that no body replaces another. */
type PartName = Pick<ImportPart, 'number' | 'digest'>

const kinds = { lines: 'parts', facts: 'facts', rejections: 'rejections' } as const

export function partFiles(objects: Objects, id: string) {
  const keyOf = (kind: keyof typeof kinds, { number, digest }: PartName) =>
    `trajectories/${id}/${kinds[kind]}/${String(number).padStart(7, '0')}-${digest}.jsonl.gz`

  async function write(kind: keyof typeof kinds, name: PartName, values: readonly object[]): Promise<void> {
    const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
    await objects.put(keyOf(kind, name), await compress(text), { content_type: 'application/gzip' })
  }

  async function read(kind: keyof typeof kinds, name: PartName): Promise<unknown[]> {
    const text = await decompress(await readObject(objects, keyOf(kind, name)))
    return text
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }

  return {
    async write(
      name: PartName,
      {
        lines,
        facts,
        rejections,
      }: { lines: TrajectoryLine[]; facts: ImportedFacts[]; rejections: Rejection[] },
    ): Promise<void> {
      await write('lines', name, lines)
      await write('facts', name, facts)
      if (rejections.length > 0) await write('rejections', name, rejections)
    },

    async trees(name: PartName): Promise<Map<string, TrajectoryLine['tree']>> {
      // Not validated again: they were checked on arrival, and there are many.
      const lines = (await read('lines', name)) as TrajectoryLine[]
      return new Map(lines.map(({ row, tree }) => [rowId(row), tree]))
    },

    async facts(name: PartName): Promise<ImportedFacts[]> {
      return (await read('facts', name)).map((facts) => importedFactsSchema.parse(facts))
    },

    async rejections(name: PartName & Pick<ImportPart, 'kept'>): Promise<Rejection[]> {
      if (name.kept === 0) return []
      return (await read('rejections', name)).map((rejection) => rejectionSchema.parse(rejection))
    },
  }
}

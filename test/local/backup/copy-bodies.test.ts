import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyBodies } from '../../../local/backup/copy-bodies.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A world that adds a body before each snapshot, and removes some after it: `removals` has the count of each round. */
async function copyBeside(removals: readonly number[]) {
  const folder = await temporaryFolder()
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  await mkdir(from)
  const named = new Set<string>()
  const add = async () => {
    const name = `body-${added++}`
    named.add(name)
    await writeFile(join(from, name), `of ${name}`)
  }
  let added = 0
  for (let count = 0; count < 3; count += 1) await add()
  let shown = new Set<string>()
  let rounds = 0
  await copyBodies({
    from,
    to,
    async snapshot() {
      await add()
      shown = new Set(named)
      // The newest are not copied yet.
      for (const name of [...named].slice(named.size - (removals[rounds] ?? 0))) {
        named.delete(name)
        await rm(join(from, name))
      }
      rounds += 1
      return shown
    },
    isStillNamed: async (name) => named.has(name),
    onProgress: () => undefined,
  })
  const names = await readdir(to)
  const bodies = await Promise.all(names.map((name) => readFile(join(to, name), 'utf8')))
  return {
    rounds,
    shown: [...shown].toSorted(),
    names: names.toSorted(),
    bodies,
    texts: names.map((name) => `of ${name}`),
  }
}

test('bodies that a world removes during a round are copied by a later one, and the copy is of one snapshot', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 2 }), { maxLength: 9 }), async (removals) => {
      const copied = await copyBeside(removals)
      expect(copied.rounds).toBe(removals.length + 1)
      expect(copied.names).toEqual(copied.shown)
      expect(copied.bodies).toEqual(copied.texts)
    }),
    { numRuns: 30 },
  )
})

test('a world that removes bodies in every round is refused', async () => {
  await expect(copyBeside(Array(10).fill(1))).rejects.toThrow(/each of 10 rounds.*Run it again/)
})

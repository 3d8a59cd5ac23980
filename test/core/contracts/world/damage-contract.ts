import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Objects } from '../../../../shared/core/world/ports.ts'
import { bytes, type ContractWorld, text, uniqueName } from './contract-world.ts'

/** A world whose stored bodies a test can change behind its back. */
export interface DamageableWorld extends ContractWorld {
  /** Flips one bit of a stored body, in the byte at this place. */
  flip(key: string, at: number): Promise<void>
}

/** What every driver's objects promise of damaged bodies: an error that names the object, never an answer. */
export function describeDamageContract(
  name: string,
  openWorld: () => Promise<DamageableWorld>,
  sizes = [7, 1000, 70_000, 600_000],
): void {
  describe(`damaged objects of ${name}`, () => {
    let opened: DamageableWorld
    let objects: Objects
    let key: string
    const damaged = () => ({ code: 'damaged_object', message: expect.stringContaining(key) })

    beforeAll(async () => {
      opened = await openWorld()
      objects = opened.world.objects
    })
    beforeEach(() => {
      key = `${uniqueName()}/object`
    })
    afterAll(() => opened.dispose())

    test.each(sizes)('a body of %i bytes is not served after one bit has changed', async (size) => {
      await objects.put(key, new Uint8Array(size).fill(97))
      expect((await objects.get(key))?.body).toHaveLength(size)
      await opened.flip(key, size - 1)
      await expect(objects.get(key)).rejects.toMatchObject(damaged())
      await expect(objects.get(key)).rejects.toMatchObject(damaged())
    })

    test('other objects are served as before, and a put mends the damaged one', async () => {
      const other = `${key}-other`
      await objects.put(key, bytes('one'))
      await objects.put(other, bytes('two'))
      await opened.flip(key, 0)
      expect(text((await objects.get(other))?.body)).toBe('two')
      await expect(objects.get(key)).rejects.toMatchObject(damaged())
      await objects.put(key, bytes('one'))
      expect(text((await objects.get(key))?.body)).toBe('one')
    })

    test('a damaged object can be deleted', async () => {
      await objects.put(key, bytes('one'))
      await opened.flip(key, 0)
      await objects.delete(key)
      expect(await objects.get(key)).toBeNull()
    })
  })
}

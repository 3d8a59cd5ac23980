import { expect, test } from 'vitest'
import { browsergymDefinition } from '../../../shared/environments/browsergym/definition.ts'
import { browsergymRegistrationSchema } from '../../../shared/environments/browsergym/registration.ts'
import { miniwobPackFormat } from '../../../shared/environments/miniwob/pack-format.ts'

const define = (benchmark: string) =>
  browsergymDefinition(
    { id: 'gym', folder: '/nowhere', variables: {} },
    browsergymRegistrationSchema.parse({ kind: 'browsergym', benchmark, default_max_steps: 10 }),
  )

test('a benchmark of a built-in environment takes its pages, the same for every seed', () => {
  const { pack, packsOf } = define('miniwob')
  expect(packsOf).toBe('miniwob')
  const pages = miniwobPackFormat.filesOf?.('click-test/0')
  expect(pages).toHaveLength(2)
  expect(pack?.filesOf?.('miniwob.click-test/123456')).toEqual(pages)
  expect(pack?.filesOf?.('webarena.click-test/0')).toEqual([])
})

test('other benchmarks have no data pack, and their packages come from the given list', async () => {
  expect(define('workarena')).not.toHaveProperty('pack')
  const [wanted] = (await define('workarena').packages?.({})) ?? []
  expect(wanted?.requirements).toMatch(/browsergym\/requirements\.txt$/)
})

import { expect, test } from 'vitest'
import { dataOf } from '../../../functions/wiring/data-of.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'

const find = dataOf(openEnvironments(definitions, null))

test('data is named as runs name theirs: none where an environment has no packs, builtin where none was added', async () => {
  expect(await find('textcraft', undefined)).toBe(
    definitions.find(({ id }) => id === 'textcraft')?.pack === undefined ? null : 'builtin',
  )
  expect(await find('webshop', undefined)).toBe('builtin')
  expect(await find('webshop', 'builtin')).toBe('builtin')
})

test('data that there is not is refused, and an environment that nobody plays here has what is given', async () => {
  await expect(find('webshop', 'mine')).rejects.toMatchObject({ code: 'invalid_request', param: 'data' })
  expect(await find('babyai', undefined)).toBeNull()
  expect(await find('babyai', 'v1')).toBe('v1')
})

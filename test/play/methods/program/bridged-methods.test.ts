import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMethods } from '../../../../shared/play/methods/methods.ts'
import { bridgedMethods } from '../../../../shared/play/methods/program/bridged-methods.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const facts = {
  id: 'greedy',
  description: 'Takes the best.',
  parameters: {
    type: 'object',
    properties: { samples: { type: 'integer', default: 4 }, max_steps: { type: 'integer' } },
    additionalProperties: false,
  },
  branches: true,
}
const file = {
  id: 'greedy-in-process-0123abcd',
  caller: 'search.py',
  port: 4000,
  token: 'x'.repeat(43),
  digest: '0123abcd',
  facts,
}

async function offer(...files: object[]) {
  const folder = await temporaryFolder()
  const methods = openMethods([], bridgedMethods(folder))
  const place = join(folder, 'in-process', 'methods')
  await mkdir(place, { recursive: true })
  for (const each of files) {
    await writeFile(join(place, `${(each as typeof file).id}.json`), JSON.stringify(each))
  }
  return { methods, place }
}

test('a method of a caller is found and listed once its file is there, and says that it is not portable', async () => {
  const { methods } = await offer(file)
  expect(methods.find(file.id)).toMatchObject({ id: file.id, description: 'Takes the best.', branches: true })
  expect(methods.list().map(({ id }) => id)).toContain(file.id)
  expect(methods.moduleOf(file.id)).toEqual({
    file: 'in the process of its caller, search.py: not portable',
    digest: '0123abcd',
  })
  expect(methods.moduleOf('react')).toBeNull()
})

test.each([
  [
    'no bound',
    { ...file, facts: { ...facts, parameters: { type: 'object', properties: {} } } },
    /Add max_steps/,
  ],
  ['no description', { ...file, facts: { ...facts, description: '' } }, /facts\.description/],
  ['a wrong digest', { ...file, digest: 'newest' }, /digest/],
])('a method with %s is refused with the reason, and the others are listed', async (_, wrong, reason) => {
  const { methods } = await offer({ ...wrong, id: 'wrong' }, file)
  expect(() => methods.find('wrong')).toThrow(reason)
  const listed = methods.list().map(({ id }) => id)
  expect(listed).toContain(file.id)
  expect(listed).not.toContain('wrong')
})

test.each(['../environments', 'none', 'torn'])('no file makes the method "%s"', async (id) => {
  const { methods, place } = await offer(file)
  await writeFile(join(place, 'torn.json'), '{"id": "to')
  expect(() => methods.find(id)).toThrow(`There is no method "${id}"`)
  expect(methods.list().some((method) => method.id === id)).toBe(false)
})

import { expect, test } from 'vitest'
import { provenanceNotice } from '../../shared/core/contracts/provenance.ts'
import { describeProvenance, provenanceOfStored } from '../../shared/environments/describe-provenance.ts'
import { definitions } from '../../shared/environments/environments.ts'

test('every environment that comes along says who made its tasks, and so does every kind of pack', () => {
  expect(Object.fromEntries(definitions.map(({ id, data }) => [id, data?.origin]))).toEqual({
    textcraft: 'generated',
    pddl: 'generated',
    alfworld: 'generated',
    webshop: 'generated',
    scienceworld: 'original',
    'scienceworld-plain': 'original',
    'alfworld-textworld': 'generated',
    miniwob: 'original',
    sites: 'generated',
    desktop: 'generated',
    osworld: 'original',
  })
  const packed = definitions.flatMap(({ id, pack }) => (pack === undefined ? [] : [[id, pack.data?.origin]]))
  expect(Object.fromEntries(packed)).toEqual({
    textcraft: 'original',
    pddl: 'own',
    alfworld: 'original',
    webshop: 'original',
    'alfworld-textworld': 'original',
    miniwob: 'original',
    osworld: 'original',
  })
})

test('a pack is named with its digest, and what was added says that it was', () => {
  const alfworld = definitions.find(({ id }) => id === 'alfworld')
  expect(describeProvenance(alfworld ?? {}, { digest: 'abc', name: 'json_2.1.1' })).toEqual({
    origin: 'original',
    about: 'games of ALFWorld',
    pack: { name: 'json_2.1.1', digest: 'abc' },
  })
  expect(describeProvenance({}, null)).toMatchObject({ origin: 'own', pack: null })
})

test('of a run that was stored without it, what is certain is shown, and nothing else', () => {
  expect(provenanceOfStored({ environment: 'alfworld', data: 'builtin' }).origin).toBe('generated')
  expect(provenanceOfStored({ environment: 'webshop', data: 'abc' })).toMatchObject({
    origin: 'original',
    pack: { name: null, digest: 'abc' },
  })
  const unknown = provenanceOfStored({ environment: 'a-game-of-mine' })
  expect(unknown.origin).toBe('unknown')
  expect(provenanceNotice(unknown)).toContain('unknown origin')
})

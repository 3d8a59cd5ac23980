import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetRequestSchema, gatesSchema } from '../../../../shared/core/contracts/dataset.ts'
import { describeFormats, describeKinds } from '../../../../shared/data/datasets/describe-kinds.ts'
import { withField } from '../../../../web/format/with-field.ts'
import {
  type DatasetDraft,
  defaultGates,
  draftAddress,
  misfit,
  readDraft,
  withDraft,
  withFormat,
  withKind,
  writeDraft,
} from '../../../../web/pages/new-dataset/dataset-draft.ts'
import { drafts } from '../../../cli/requests/dataset-drafts.ts'

const kinds = describeKinds()
const kindOf = (id: string) => kinds.find((kind) => kind.id === id) as (typeof kinds)[number]

test('an address holds the whole draft', () => {
  fc.assert(
    fc.property(drafts, (draft) => {
      expect(readDraft(new URLSearchParams(writeDraft(draft).toString()))).toEqual(draft)
    }),
  )
})

test('the rest of the address stays, and an address that holds the draft is not written again', () => {
  fc.assert(
    fc.property(drafts, drafts, (before, draft) => {
      const address = withDraft(new URLSearchParams('as=cli'), before)
      const next = withDraft(address, draft)
      expect(next.get('as')).toBe('cli')
      expect(readDraft(next)).toEqual(draft)
      expect(withDraft(next, draft).toString()).toBe(next.toString())
    }),
  )
})

test('an address that was cut short still holds what is whole in it', () => {
  const search = new URLSearchParams('runs=a,b,,a&kind=sft&settings={"seed":')
  expect(readDraft(search)).toEqual({ runs: ['a', 'b'], kind: 'sft' })
  expect(readDraft(new URLSearchParams('settings=[1]'))).toEqual({})
  // Sources stand by their own names: as settings they could be anything.
  expect(readDraft(new URLSearchParams('settings={"runs":5,"kind":{},"seed":1}'))).toEqual({ seed: 1 })
})

test('building another like it asks for the same, and says only what differs from the defaults', () => {
  const request = datasetRequestSchema.parse({ runs: ['a'], gates: { held_out: 'keep' }, seed: 3 })
  const draft = readDraft(new URL(draftAddress(request), 'http://x').searchParams)
  expect(draft).toEqual({ runs: ['a'], kind: 'sft', format: 'openai', gates: { held_out: 'keep' }, seed: 3 })
  fc.assert(
    fc.property(drafts, (any) => {
      const whole = datasetRequestSchema.parse(any)
      const again = readDraft(new URL(draftAddress(whole), 'http://x').searchParams)
      expect(datasetRequestSchema.parse(again)).toEqual(whole)
    }),
  )
})

test('the defaults of gates are the contract’s', () => {
  expect(defaultGates).toEqual(gatesSchema.parse({}))
})

test('another kind takes along what it has a use for, and a format that can hold its rows', () => {
  const draft = {
    runs: ['a'],
    experts: ['b'],
    kind: 'preference',
    parameters: { margin: 0.1 },
    format: 'trl',
    seed: 1,
  } as const
  const input = { ...draft, runs: [...draft.runs], experts: [...draft.experts] }
  expect(withKind(input, kindOf('sft'))).toEqual({ runs: ['a'], kind: 'sft', format: 'trl', seed: 1 })
  expect(withKind({ runs: ['a'], format: 'xtuner' }, kindOf('preference')).format).toBe('trl')
  expect(withKind({ runs: ['a'], experts: ['b'] }, kindOf('preference'))).toMatchObject({ experts: ['b'] })
  expect(withKind({ limits: { cost: 1 } }, kindOf('sft'))).toEqual({ kind: 'sft' })
  for (const kind of kinds) {
    const format = withKind({ runs: ['a'] }, kind).format ?? 'openai'
    expect(kind.formats).toContain(format)
  }
})

test('an address without a format gets one that can hold rows of its kind, and keeps the one that it has', () => {
  const fill = (address: string) => withFormat(readDraft(new URLSearchParams(address)), kinds)
  for (const kind of kinds) expect(kind.formats).toContain(fill(`kind=${kind.id}`).format ?? 'openai')
  expect(fill('runs=a&kind=preference')).toEqual({ runs: ['a'], kind: 'preference', format: 'trl' })
  expect(fill('runs=a')).toEqual({ runs: ['a'] })
  expect(fill('kind=preference&format=openai').format).toBe('openai')
  expect(fill('kind=of-nobody')).toEqual({ kind: 'of-nobody' })
})

test('a format says why it does not fit exactly where the service refuses it', () => {
  for (const kind of kinds) {
    for (const format of describeFormats()) {
      expect(misfit(kind, format) === null).toBe(kind.formats.includes(format.id))
    }
  }
  const xtuner = describeFormats().find(({ id }) => id === 'xtuner') as ReturnType<
    typeof describeFormats
  >[number]
  expect(misfit(kindOf('prompts'), xtuner)).toBe(
    'It has no place for prompts; it holds sft, revision, exploration.',
  )
})

test('a field that says nothing is left out', () => {
  const draft: DatasetDraft = { runs: ['a'], name: 'x' }
  expect(withField(draft, 'name', '')).toEqual({ runs: ['a'] })
  expect(withField<DatasetDraft, 'splits'>({ splits: { train: 1 } }, 'splits', {})).toEqual({})
  expect(withField<DatasetDraft, 'seed'>({}, 'seed', 0)).toEqual({ seed: 0 })
})

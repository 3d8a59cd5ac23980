import fc from 'fast-check'
import { emptyDraft, type RunDraft } from '../../../web/pages/new-run/run-draft.ts'

/** Texts that shells and the command line read in their own way, and that can be written on a line nevertheless. */
const written = fc.constantFrom(
  "it's $5 `now`",
  'two\nlines',
  '-x',
  '--name',
  '"quoted"',
  'true',
  '12',
  '1.0',
  '[1]',
  '{}',
  'null',
  '~/x',
  'a=b',
  '\\',
  '!!',
  "'",
  'RUN',
  'שלום',
)

/** Those, and texts with what terminals act on, halves of characters, and files that would be read. */
export const awkward = fc.oneof(
  written,
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.constantFrom('@file', 'a b ', '\u001b[31mred', '\u202eshalom', '\ud800', '\tx', '\0'),
)

const text = fc.oneof({ weight: 30, arbitrary: written }, { weight: 1, arbitrary: awkward })
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 2 }))
const some = { requiredKeys: [] }

/** Drafts as people fill them. */
export const drafts: fc.Arbitrary<RunDraft> = fc
  .record(
    {
      name: text,
      experiment: text,
      tags: fc.array(text, { maxLength: 3 }).map((tags) => tags.join(', ')),
      note: text,
      environment: fc.constant('textcraft'),
      tasks: fc.oneof(
        fc.constantFrom<RunDraft['tasks'][]>(
          {},
          { split: 'train' },
          { split: 'train', types: ['depth-1', '-x'] },
        ),
        fc.constantFrom<RunDraft['tasks'][]>({ limit: 5 }, { split: 'test', range: [0, 50], limit: 3 }),
        fc.array(text, { minLength: 1, maxLength: 4 }).map((ids) => ({ ids })),
        fc.constant({ ids: Array.from({ length: 60 }, (_, at) => `task-${at}`) }),
      ),
      method: fc.constant('mcts'),
      parameters: fc.dictionary(fc.constantFrom('value', 'iterations', 'reuse', 'library'), value),
      endpoint: fc.oneof(fc.constant('simulated'), text),
      model: fc.oneof(fc.constant('simulated'), text),
      modelSettings: fc.record({ temperature: fc.constantFrom(0, 0.7), max_tokens: fc.nat() }, some),
      roles: fc.dictionary(
        fc.constantFrom('value', 'debate'),
        fc.record({ endpoint: text, id: text, temperature: fc.constant(0.2) }, some),
      ),
      prompts: fc.dictionary(fc.constantFrom('judge-question', 'react'), text),
      settings: fc.record({ epochs: fc.nat(), seed: fc.nat(), max_parallel: fc.constant(3) }, some),
      place: fc.record({ hosting: fc.constantFrom('host', 'auto'), data: text }, some),
      limits: fc.record({ cost: fc.constantFrom(1e-9, 0.5), tokens: fc.nat() }, some),
      episodeLimits: fc.record({ steps: fc.nat(), time: fc.constant(1.5) }, some),
      metadata: fc.dictionary(fc.constantFrom('team', 'owner'), text),
    },
    { requiredKeys: ['environment', 'method', 'endpoint', 'model'] },
  )
  .map((draft) => ({ ...emptyDraft, tasks: {}, ...draft }))

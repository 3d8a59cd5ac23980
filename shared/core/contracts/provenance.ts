import { z } from 'zod'

export const dataOriginSchema = z
  .enum(['generated', 'original', 'own', 'unknown'])
  .describe(
    '`generated`: made for Espalier, so do not put its numbers beside published ones. `original`: the benchmark’s own tasks. `own`: a custom environment or pack. `unknown`: the run is older than this record.',
  )

export type DataOrigin = z.infer<typeof dataOriginSchema>

export const provenanceSchema = z
  .object({
    origin: dataOriginSchema,
    about: z.string().describe('A description of the data; empty if it is unknown.'),
    pack: z
      .object({
        name: z
          .string()
          .nullable()
          .describe('The pack’s name at the time; null if the run kept only its digest.'),
        digest: z.string(),
      })
      .nullable()
      .describe('The data pack; null: built-in data of the environment.'),
    trained: z
      .literal(true)
      .exactOptional()
      .describe('The run learned from tasks that count in its numbers (`test_on_trained`); else absent.'),
  })
  .meta({ id: 'Provenance' })

export type Provenance = z.infer<typeof provenanceSchema>

/** For runs from before provenance was stored, if their data cannot be derived. */
export const unknownProvenance: Provenance = { origin: 'unknown', about: '', pack: null }

const openings = { generated: 'Generated data', original: 'Original data', own: 'Data of your own' } as const

/**
 * The sentence beside every number, in the terminal, the dashboard, exports and dataset cards.
 * @example
 * provenanceNotice({ origin: 'generated', about: 'households made for Espalier', pack: null })
 * // 'Generated data: households made for Espalier. These numbers do not compare with published ones.'
 */
export function provenanceNotice({ trained, ...data }: Provenance): string {
  const notice = dataNotice(data)
  return trained === true
    ? `${notice} Warning: tasks that were learned from count in these numbers (test_on_trained).`
    : notice
}

function dataNotice({ origin, about, pack }: Omit<Provenance, 'trained'>): string {
  if (origin === 'unknown') {
    return 'Data of unknown origin: the run was stored before that was recorded.'
  }
  const named =
    pack === null ? '' : ` (pack ${pack.name === null ? '' : `"${pack.name}", `}digest ${pack.digest})`
  const what = `${openings[origin]}: ${about}${named}.`
  return origin === 'generated' ? `${what} These numbers do not compare with published ones.` : what
}

export function provenanceNotices(runs: readonly { provenance: Provenance }[]): string[] {
  return [...new Set(runs.map(({ provenance }) => provenanceNotice(provenance)))]
}

import { z } from 'zod'

export interface Finding {
  registry: 'npm' | 'pypi'
  package: string
  /** All names of the vulnerability, for example its GHSA and its CVE. */
  ids: readonly string[]
  title: string
}

/** `allowed.json`: vulnerabilities that do not affect users, each with the reason and an end date. */
export const allowListSchema = z.array(
  z.strictObject({
    registry: z.enum(['npm', 'pypi']),
    package: z.string().min(1),
    id: z.string().min(1),
    reason: z.string().min(10),
    until: z.iso.date(),
  }),
)

export type AllowList = z.infer<typeof allowListSchema>

export interface Audit {
  findings: readonly Finding[]
  /** The reason why some or all packages were not checked; null: all were. */
  gap: string | null
}

/**
 * Compares findings with the allow-list.
 * @param today - as `2026-11-28`; an entry counts through its last day
 * @returns the findings without an entry, and the entries that match no finding
 */
export function judgeFindings(
  audits: readonly Audit[],
  allowed: AllowList,
  today: string,
): { refused: Finding[]; unused: AllowList } {
  const findings = audits.flatMap((audit) => audit.findings)
  const covers = (entry: AllowList[number], finding: Finding) =>
    entry.registry === finding.registry && entry.package === finding.package && finding.ids.includes(entry.id)
  const current = allowed.filter(({ until }) => until >= today)
  // An incomplete check cannot show that an entry is unused.
  const isWhole = audits.every(({ gap }) => gap === null)
  return {
    refused: findings.filter((finding) => !current.some((entry) => covers(entry, finding))),
    unused: isWhole ? allowed.filter((entry) => !findings.some((finding) => covers(entry, finding))) : [],
  }
}

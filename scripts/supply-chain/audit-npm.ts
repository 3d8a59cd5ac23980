import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import type { Audit, Finding } from './findings.ts'

const advisorySchema = z.object({ source: z.number(), name: z.string(), title: z.string(), url: z.string() })
const reportSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisorySchema])) })),
})
const failureSchema = z.object({ message: z.string() })

export function auditNpm(folder: string): Audit {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], { cwd: folder, encoding: 'utf8' })
  return readNpmReport(stdout, stderr)
}

/** Parses the answer of `npm audit --json`. A registry without that service answers an error, which is a gap. */
export function readNpmReport(stdout: string, stderr = ''): Audit {
  let report: unknown
  try {
    report = JSON.parse(stdout)
  } catch {
    return { findings: [], gap: `npm audit gave no report: ${stderr.trim().slice(0, 300)}` }
  }
  const read = reportSchema.safeParse(report)
  if (!read.success) {
    const failure = failureSchema.safeParse(report)
    return { findings: [], gap: failure.success ? failure.data.message : 'npm audit gave no report.' }
  }
  const byAdvisory = new Map<number, Finding>()
  for (const { via } of Object.values(read.data.vulnerabilities)) {
    for (const each of via) {
      // A string names another package of the report, which has the advisory.
      if (typeof each === 'string') continue
      const ids = [each.url.split('/').at(-1) ?? each.url, String(each.source)]
      byAdvisory.set(each.source, { registry: 'npm', package: each.name, ids, title: each.title })
    }
  }
  return { findings: [...byAdvisory.values()], gap: null }
}

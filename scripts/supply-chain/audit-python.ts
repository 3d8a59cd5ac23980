import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import type { Audit, Finding } from './findings.ts'

const reportSchema = z.object({
  dependencies: z.array(
    z.object({
      name: z.string(),
      skip_reason: z.string().optional(),
      vulns: z
        .array(z.object({ id: z.string(), aliases: z.array(z.string()), description: z.string() }))
        .default([]),
    }),
  ),
})

export async function auditPython(lists: readonly string[]): Promise<Audit> {
  let python: string
  try {
    const requirements = join(import.meta.dirname, 'requirements.txt')
    const wanted = { requirements, variables: process.env }
    python = (await installPythonEnvironment(wanted, () => undefined)).python
  } catch (error) {
    return { findings: [], gap: error instanceof Error ? error.message : String(error) }
  }
  const audits = lists.map((list) => {
    const words = ['-m', 'pip_audit', '--no-deps', '--disable-pip', '--progress-spinner', 'off', '-f', 'json']
    const { stdout, stderr } = spawnSync(python, [...words, '-r', list], { encoding: 'utf8' })
    return readPythonReport(stdout, stderr)
  })
  const gaps = [...new Set(audits.flatMap(({ gap }) => gap ?? []))]
  return {
    findings: audits.flatMap(({ findings }) => findings),
    gap: gaps.length === 0 ? null : gaps.join('; '),
  }
}

/** Parses the answer of `pip-audit -f json`. Packages unknown to the index are a gap. */
export function readPythonReport(stdout: string, stderr = ''): Audit {
  let report: z.infer<typeof reportSchema>
  try {
    report = reportSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
  } catch {
    const last = stderr.trim().split('\n').at(-1) ?? ''
    return { findings: [], gap: `pip-audit gave no report: ${last.slice(0, 300)}` }
  }
  const findings = report.dependencies.flatMap(({ name, vulns }) =>
    vulns.map(
      ({ id, aliases, description }): Finding => ({
        registry: 'pypi',
        package: name,
        ids: [id, ...aliases],
        title: description.split('\n')[0]?.slice(0, 200) ?? '',
      }),
    ),
  )
  const skipped = report.dependencies.flatMap(({ name, skip_reason }) =>
    skip_reason === undefined ? [] : [name],
  )
  const few = skipped.slice(0, 3).join(', ')
  return {
    findings,
    gap: skipped.length === 0 ? null : `${skipped.length} packages were not looked up, such as ${few}`,
  }
}

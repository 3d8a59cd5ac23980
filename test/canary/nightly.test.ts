import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { accountSteps } from '../../canary/nightly/account-steps.ts'
import { compareCost, expectedCost, usualBudget } from '../../canary/nightly/compare-cost.ts'
import { matrixOf } from '../../canary/nightly/matrix.ts'
import { type NightlyStep, runSteps } from '../../canary/nightly/run-steps.ts'
import { runRequestSchema } from '../../shared/core/contracts/run.ts'

const root = join(import.meta.dirname, '../..')
const quiet = () => undefined

function step(name: string, did: string[], more: Partial<NightlyStep> = {}): NightlyStep {
  const run = async () => {
    did.push(name)
    return []
  }
  return { name, needsAccount: null, run, ...more }
}

test('after a failure the stage is still taken away, and nothing else is tried', async () => {
  const did: string[] = []
  const failing = step('plays', did, { run: () => Promise.reject(new Error('It broke.')) })
  const steps = [
    step('deploys', did),
    failing,
    step('updates', did),
    step('destroys', did, { isCleanUp: true }),
  ]
  const results = await runSteps(steps, { isEmulated: false, log: quiet })
  expect(did).toEqual(['deploys', 'destroys'])
  expect(results.map(({ state }) => state)).toEqual(['passed', 'failed', 'skipped', 'passed'])
  expect(results[1]?.notes).toEqual(['It broke.'])
})

test('over emulators each step without an account has its reason, and does nothing', async () => {
  const did: string[] = []
  const steps = [step('bills', did, { needsAccount: 'emulators bill nothing' }), step('plays', did)]
  const results = await runSteps(steps, { isEmulated: true, log: quiet })
  expect(did).toEqual(['plays'])
  expect(results[0]).toMatchObject({ state: 'not shown', notes: ['emulators bill nothing'] })
})

test('a night deploys first, and ends by destroying the stage and looking for remains', () => {
  const steps = accountSteps({ id: 'abc', stage: 'night-abc', budget: 5, isEmulated: false })
  expect(steps[0]?.name).toMatch(/deploy/)
  expect(steps.filter(({ isCleanUp }) => isCleanUp).map(({ name }) => name)).toEqual(
    steps.slice(-2).map(({ name }) => name),
  )
})

test('the matrix has every method with every kind of worker once, as requests that the API takes', () => {
  const cells = matrixOf({ id: 'abc', workers: ['lambda', 'fargate'], hosted: ['textcraft'] })
  expect(cells).toHaveLength(7)
  expect(new Set(cells.map(({ name }) => name)).size).toBe(7)
  for (const { request } of cells) expect(runRequestSchema.safeParse(request).error).toBeUndefined()
})

test('the cost is set beside that of docs/cost.md, and is held to the budget', () => {
  const page = readFileSync(join(root, 'docs/cost.md'), 'utf8')
  expect(page).toContain(`above $${usualBudget} (`)
  const expected = expectedCost(page)
  expect(expected).toBeGreaterThan(0.01)
  const canary = {
    cost: [
      { service: 'Lambda', dollars: 0.5, counted: '' },
      { service: 'the rest', dollars: null, counted: '' },
    ],
    runs: [{ episodes: { total: 500 } }],
  } as unknown as Parameters<typeof compareCost>[0]
  expect(compareCost(canary, { expected, budget: 1 }).join()).toMatch(/the rest: not metered.*\$1\.00/)
  expect(() => compareCost(canary, { expected, budget: 0.4 })).toThrow('above the budget')
  expect(() => compareCost(null, { expected, budget: 1 })).toThrow('no canary')
})

test('the workflow runs it with a role and no keys, and is off until a variable turns it on', () => {
  const workflow = parse(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8')) as {
    permissions: Record<string, string>
    jobs: { nightly: { if: string; steps: { run?: string }[] } }
  }
  expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  expect(workflow.jobs.nightly.if).toBe("vars.ESPALIER_NIGHTLY_ROLE != ''")
  expect(workflow.jobs.nightly.steps.map(({ run }) => run)).toContain('npm run nightly -- --account')
  expect(JSON.stringify(workflow)).not.toMatch(/secrets\.|SECRET_ACCESS_KEY/)
})

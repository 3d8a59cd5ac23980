import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { greedy } from '../../../../examples/greedy.ts'
import { simulatedEndpointSchema } from '../../../../shared/core/contracts/endpoint-configuration.ts'
import { definitions } from '../../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../../shared/environments/open-environments.ts'
import { loadMethodModule } from '../../../../shared/play/methods/added/load-method-module.ts'
import type { Method } from '../../../../shared/play/methods/method.ts'
import { openMethods } from '../../../../shared/play/methods/methods.ts'
import {
  checkIn,
  reportLaws,
  type ValidatedMethod,
} from '../../../../shared/play/methods/validation/validate-method.ts'
import { modelClock } from '../../../../shared/play/models/model-clock.ts'
import { createSimulatedModels } from '../../../../shared/play/simulated/simulated-models.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { prefixedObjects } from '../../../support/prefixed-objects.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { faultyMethods } from './faulty-methods.ts'

async function validate(method: Method, more: Partial<ValidatedMethod> = {}, environment = 'textcraft') {
  const { clock, objects } = await openTestWorld()
  let stores = 0
  const validated: ValidatedMethod = {
    method,
    module: { file: 'own.ts', digest: 'one', files: [] },
    parameters: {},
    seed: 0,
    tasks: 1,
    steps: 4,
    cuts: 60,
    ...more,
  }
  const endpoint = simulatedEndpointSchema.parse({ kind: 'simulated', skill: 0.3 })
  const checked = await checkIn(environment, validated, {
    environments: openEnvironments(definitions, null),
    models: createSimulatedModels('test', endpoint, modelClock),
    objects() {
      stores += 1
      return prefixedObjects(objects, `${stores}/`)
    },
    clock,
  })
  return reportLaws(validated, [checked])
}

test.each(Object.entries(faultyMethods))(
  '%s breaks the laws that it should, and no other',
  async (_name, { method, breaks }) => {
    const { laws, ok } = await validate(method)
    const broken = laws.filter(({ status }) => status === 'failed')
    expect(broken.map(({ id }) => id)).toEqual(breaks)
    expect(ok).toBe(breaks.length === 0)
    for (const { mend, reason, at } of broken) {
      expect(mend).not.toBeNull()
      expect(reason).not.toBeNull()
      expect(at).toMatchObject({ environment: 'textcraft' })
    }
  },
)

test('chance and a clock of its own are named with the line that asks', async () => {
  const file = join(await temporaryFolder(), 'dice.ts')
  await writeFile(
    file,
    `export const dice = {
  id: 'dice',
  description: 'Rolls dice.',
  parameters: { type: 'object', properties: { max_steps: { type: 'integer' } } },
  branches: false,
  async play(scope, { max_steps = 4 }) {
    let node = scope.tree.root
    while (!node.done && node.depth < max_steps) {
      const [proposal] = await scope.propose(node, { key: 'sample' + (Math.random() < 0.5 ? '' : '/other') })
      node = await scope.step(node, proposal)
    }
  },
}
`,
  )
  const { digest, files, methods } = await loadMethodModule(file)
  const report = await validate(methods[0] as Method, {
    module: { file: 'dice.ts', digest, files },
    steps: 12,
  })
  const broken = report.laws.filter(({ status }) => status === 'failed')
  expect(broken.map(({ id }) => id)).toEqual(expect.arrayContaining(['no-clock', 'resume']))
  expect(broken.find(({ id }) => id === 'no-clock')?.reason).toBe('Math.random is called at dice.ts:9.')
  expect(report).toMatchObject({ method: 'dice', file: 'dice.ts', ok: false })
})

test('the example keeps every law, and is cut off after each of its effects', async () => {
  const report = await validate(greedy, { steps: 3 })
  expect(report.laws.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(report.resumed).toBeGreaterThanOrEqual(report.effects)
})

test.each([
  ['react', {}],
  ['best-of-n', { attempts: 2, verdicts: 2 }],
  ['mcts', { iterations: 3, samples: 2 }],
  ['mcts', { value: 'judge', iterations: 3, proposals: 3, branching: 2, verdicts: 2 }],
])('%s keeps every law with %j', async (id, parameters) => {
  const report = await validate(openMethods().find(id), { module: null, parameters, cuts: 8, steps: 3 })
  expect(report.laws.filter(({ status }) => status === 'failed')).toEqual([])
})

test('an environment on hosts, or a parameter that the method does not have, is refused', async () => {
  await expect(validate(greedy, {}, 'scienceworld')).rejects.toThrow(/runs on hosts/)
  await expect(validate(greedy, { parameters: { sample: 2 } })).rejects.toThrow(/Did you mean "samples"/)
})

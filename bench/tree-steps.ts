import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { runRequestSchema } from '../shared/core/contracts/run.ts'
import { report } from './figure.ts'
import { ended, openBenchEngine } from './open-bench-engine.ts'
import { scriptedModel } from './scripted-model.ts'

const engine = await openBenchEngine(scriptedModel, 16)
const request = runRequestSchema.parse({
  environment: exampleEnvironment,
  method: { id: 'mcts' },
  tasks: { split: 'test', limit: 10 },
  model: { endpoint: 'bench', id: 'bench' },
})
const { id } = await engine.runs.create(request)
await ended(engine, id)
const { data } = await engine.runs.episodes(id, { limit: 10 })
let [nodes, steps, replayed] = [0, 0, 0]
for (const episode of data) {
  const stored = await engine.runs.tree(id, episode.id)
  if (!('stored' in stored)) throw new Error('not stored')
  const object = await engine.world.objects.get(stored.stored)
  const tree = JSON.parse(Buffer.from(object?.body ?? []).toString()) as { nodes: { depth: number }[] }
  nodes += tree.nodes.length - 1
  steps += episode.result?.steps ?? 0
  replayed += tree.nodes.reduce((sum, node) => sum + node.depth, 0)
}
await engine.close()
report({
  what: `Environment steps per tree node (mcts, 10 trees, ${nodes} nodes)`,
  value: (steps / nodes).toFixed(2),
  ratio: `1 : ${(replayed / steps).toFixed(1)} of what resetting and replaying each path takes`,
  aim: '1.0',
})

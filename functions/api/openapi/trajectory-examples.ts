import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import type {
  ImportedFacts,
  Rejection,
  TrajectoryImport,
} from '../../../shared/core/contracts/trajectory-import.ts'

export const importExample: TrajectoryImport = {
  id: 'import-06c5k8q2xg-4hj7k2mn',
  object: 'trajectory_import',
  name: 'experts of ETO',
  status: 'complete',
  created_at: '2026-11-21T09:00:00.000Z',
  settings: { format: 'eto', environment: 'webshop', reward: 1, success_at: 1 },
  trajectories: 1822,
  rejected: 1,
  next: 1824,
  parts: 1,
}

export const factsExample: ImportedFacts & { id: string } = {
  id: 'row-0000001',
  episode: 'row-0000001',
  part: 1,
  environment: 'webshop',
  data: null,
  task: 'webshop-1500',
  method: 'expert',
  model: 'imported/unknown',
  status: 'succeeded',
  reward: 1,
  success: true,
  seed: 0,
  file: 'webshop_sft.json',
  line: 2,
}

export const rejectionExample: Rejection = {
  id: 'row-0000007',
  file: 'webshop_sft.json',
  line: 91,
  row: 7,
  field: 'conversations[4]',
  reason: 'two turns of the model in a row: an observation is missing',
}

export const rowExample = {
  item_id: `${exampleEnvironment}_12`,
  conversations: [
    { from: 'human', loss: null, value: 'Craft with these commands: craft 4 oak planks using 1 oak log' },
    { from: 'gpt', loss: false, value: 'OK.' },
    { from: 'human', loss: null, value: 'Goal: craft oak planks.' },
    { from: 'gpt', loss: true, value: 'Thought: I need a log.\nAction: get 1 oak log' },
    { from: 'human', loss: null, value: 'Got 1 oak log' },
    {
      from: 'gpt',
      loss: true,
      value: 'Thought: Now the planks.\nAction: craft 4 oak planks using 1 oak log',
    },
    { from: 'human', loss: null, value: 'Crafted 4 minecraft:oak_planks' },
  ],
}
